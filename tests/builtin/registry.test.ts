import { afterAll, expect, test } from "bun:test"
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { homedir, tmpdir } from "node:os"
import { join } from "node:path"
import { launchBuiltin } from "../../src/builtin/registry.ts"
import { ConfigError } from "../../src/errors.ts"
import { selfCommand } from "../../src/platform/self.ts"
import { builtin } from "./rpc.ts"

const root = mkdtempSync(join(tmpdir(), "mcp-exec-builtin-"))
const context = { directory: root, workspace: join(root, "workspace") }
afterAll(() => rmSync(root, { recursive: true }))

test("filesystem without arguments serves the workspace, which is created", async () => {
  rmSync(context.workspace, { recursive: true, force: true })
  expect(await launchBuiltin(builtin("filesystem"), context)).toEqual({
    kind: "child",
    command: [...selfCommand("__serve"), "filesystem", context.workspace],
    env: {},
  })
  expect(existsSync(context.workspace)).toBe(true)
})

test("filesystem directories start at the config's folder or at home", async () => {
  mkdirSync(join(root, "notes"), { recursive: true })
  const launch = await launchBuiltin(builtin("filesystem", ["./notes", "./workspace/", "~"], { A: "1" }), context)
  expect(launch).toEqual({
    kind: "child",
    command: [...selfCommand("__serve"), "filesystem", join(root, "notes"), context.workspace, homedir()],
    env: { A: "1" },
  })
})

test("a filesystem directory that is missing or a file is a configuration error", async () => {
  writeFileSync(join(root, "file.txt"), "")
  for (const [arg, problem] of [
    ["./nots", "does not exist"],
    ["file.txt", "is not a directory"],
  ] as const) {
    const error = await configError(launchBuiltin(builtin("filesystem", [arg]), context))
    expect(error.message).toBe(`The builtin server filesystem is given ${join(root, arg)}, which ${problem}`)
  }
})

test("memory keeps its graph in the workspace, or where MEMORY_FILE_PATH says", async () => {
  const standard = await launchBuiltin(builtin("memory"), context)
  expect(standard).toMatchObject({ env: { MEMORY_FILE_PATH: join(context.workspace, "memory.jsonl") } })
  const custom = await launchBuiltin(builtin("memory", [], { MEMORY_FILE_PATH: "deep/er/graph.jsonl" }), context)
  expect(custom).toEqual({
    kind: "child",
    command: [...selfCommand("__serve"), "memory"],
    env: { MEMORY_FILE_PATH: join(root, "deep/er/graph.jsonl") },
  })
  expect(existsSync(join(root, "deep/er"))).toBe(true)
})

test("a folder that cannot be created is a configuration error", async () => {
  writeFileSync(join(root, "blocked"), "")
  const server = builtin("memory", [], { MEMORY_FILE_PATH: "blocked/graph.jsonl" })
  expect((await configError(launchBuiltin(server, context))).message).toContain(join(root, "blocked"))
})

test("memory and echo take no arguments, and fetch only those it knows", async () => {
  for (const name of ["memory", "echo"] as const) {
    const error = await configError(launchBuiltin(builtin(name, ["--x"]), context))
    expect(error.message).toBe(`The builtin server ${name} takes no arguments: --x`)
  }
  const error = await configError(launchBuiltin(builtin("fetch", ["--allow-privat"]), context))
  expect(error.message).toBe("The argument --allow-privat of the builtin server fetch is unknown")
  expect(error.hint).toContain("--allow-private")
})

async function configError(promise: Promise<unknown>): Promise<ConfigError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(ConfigError)
  expect((error as ConfigError).code).toBe("E_CONFIG_INVALID")
  return error as ConfigError
}
