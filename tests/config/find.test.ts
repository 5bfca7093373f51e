import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, parse } from "node:path"
import { configFileNames, findConfigFile } from "../../src/config/find.ts"
import { ConfigError } from "../../src/errors.ts"

const root = mkdtempSync(join(tmpdir(), "mcp-exec-find-"))
const project = join(root, "project")
const deep = join(project, "src", "deep")
const nearest = join(project, "mcp_config.json")
const elsewhere = join(root, "elsewhere.json")

beforeAll(() => {
  mkdirSync(deep, { recursive: true })
  for (const file of [nearest, elsewhere, join(root, "mcp_config.json")]) writeFileSync(file, "{}")
})
afterAll(() => rmSync(root, { recursive: true }))

describe("the search upward from the working directory", () => {
  test("finds the file in the folder itself", async () => {
    expect(await findConfigFile({ env: {}, cwd: project })).toBe(nearest)
  })

  test("finds the nearest one above", async () => {
    expect(await findConfigFile({ env: {}, cwd: deep })).toBe(nearest)
  })

  test("takes the names in order, and a nearer folder before a better name", async () => {
    const folder = join(deep, "names")
    mkdirSync(folder)
    for (const name of [...configFileNames].reverse()) {
      writeFileSync(join(folder, name), "{}")
      expect(await findConfigFile({ env: {}, cwd: folder })).toBe(join(folder, name))
    }
    expect(configFileNames).toEqual(["mcp_config.json", "mcp-config.json", ".mcp.json"])
  })

  test("passes over a directory of that name", async () => {
    const folder = join(deep, "directory")
    mkdirSync(join(folder, "mcp_config.json"), { recursive: true })
    expect(await findConfigFile({ env: {}, cwd: folder })).toBe(nearest)
  })

  test("ends at the root of the file system", async () => {
    const top = parse(root).root
    const found = await findConfigFile({ env: {}, cwd: top })
    expect(found === undefined || configFileNames.some((name) => found === join(top, name))).toBe(true)
  })

  test("starts from a folder that does not exist", async () => {
    expect(await findConfigFile({ env: {}, cwd: join(project, "not", "there") })).toBe(nearest)
  })
})

describe("precedence", () => {
  test("the flag wins over the variable", async () => {
    const env = { MCP_EXEC_CONFIG: nearest }
    expect(await findConfigFile({ flag: "../elsewhere.json", env, cwd: project })).toBe(elsewhere)
  })

  test("the variable wins over the search", async () => {
    expect(await findConfigFile({ env: { MCP_EXEC_CONFIG: "../elsewhere.json" }, cwd: project })).toBe(elsewhere)
  })

  test("an empty variable counts as unset", async () => {
    expect(await findConfigFile({ env: { MCP_EXEC_CONFIG: "" }, cwd: project })).toBe(nearest)
  })
})

describe("a name that leads nowhere is an error that says where the name came from", () => {
  const missing = join(project, "missing.json")
  const cases = [
    { flag: "missing.json", env: {}, want: `--config names a file that does not exist: ${missing}` },
    { flag: ".", env: {}, want: `--config names a directory, not a file: ${project}` },
    { flag: "", env: {}, want: "--config names no file" },
    { env: { MCP_EXEC_CONFIG: missing }, want: `MCP_EXEC_CONFIG names a file that does not exist: ${missing}` },
    { env: { MCP_EXEC_CONFIG: project }, want: `MCP_EXEC_CONFIG names a directory, not a file: ${project}` },
  ]
  for (const { flag, env, want } of cases) {
    test(want.replaceAll(root, "…"), async () => {
      const error = await findConfigFile({ flag, env, cwd: project })?.catch((error: unknown) => error)
      expect(error).toBeInstanceOf(ConfigError)
      expect(error).toMatchObject({ code: "E_CONFIG_NOT_FOUND", message: want, hint: expect.any(String) })
    })
  }
})
