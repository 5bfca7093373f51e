import { afterAll, describe, expect, test } from "bun:test"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createContext } from "../../src/operations/context.ts"
import { type GenerateInput, type GenerateOutput, generate } from "../../src/operations/generate.ts"
import { fixtureServer, packageServer } from "../fixtures/config.ts"

const echo = { type: "builtin", name: "echo" }
const files = { type: "builtin", name: "filesystem", args: ["."] }
const missing = { command: "no-such-program-anywhere" }

const made: string[] = []
afterAll(() => {
  for (const directory of made) rmSync(directory, { recursive: true, force: true })
})

function createProject(servers: Record<string, unknown>) {
  const directory = mkdtempSync(join(tmpdir(), "mcp-exec-generate-"))
  made.push(directory)
  const configure = (mcpServers: Record<string, unknown>) =>
    writeFileSync(join(directory, "mcp_config.json"), JSON.stringify({ mcpServers }))
  configure(servers)
  const progress: string[] = []
  const run = async (input: GenerateInput = {}): Promise<GenerateOutput> => {
    await using context = createContext({
      cwd: directory,
      env: { PATH: process.env.PATH, HOME: directory, MCP_EXEC_CACHE_DIR: join(directory, ".cache") },
      log: () => {},
      onProgress: ({ progress: done, total, message }) => void progress.push(`${done}/${total} ${message}`),
    })
    return await generate(context, input)
  }
  const root = join(directory, "servers")
  return { configure, run, progress, servers: root, has: (path: string) => existsSync(join(root, path)) }
}

/** Path and time of change of everything in a folder. */
function stampsOf(directory: string): string[] {
  const paths = readdirSync(directory, { recursive: true, encoding: "utf8" }).sort()
  return paths.map((path) => `${path} ${statSync(join(directory, path)).mtimeMs}`)
}

describe("generate", () => {
  test("writes every enabled server, and nothing the second time", async () => {
    const everything = packageServer("@modelcontextprotocol/server-everything/dist/index.js")
    const project = createProject({ echo, files, everything, off: { ...echo, disabled: true } })
    const first = await project.run()
    expect(first.directory).toBe(project.servers)
    expect(first.servers).toMatchObject([
      { name: "echo", ok: true, tools: 4 },
      { name: "files", ok: true, tools: 14, typedResults: 14 },
      { name: "everything", ok: true },
    ])
    expect(first).toMatchObject({ unchanged: 0, removed: 0 })
    expect(project.progress[0]).toBe("0/3 connecting")
    expect(project.progress.at(-1)).toStartWith("3/3 ")
    const before = stampsOf(project.servers)
    expect(before.filter((line) => !/^[^/]+ /.test(line)).length).toBeGreaterThan(30)
    const second = await project.run()
    expect(second).toMatchObject({ written: 0, removed: 0, servers: first.servers })
    expect(stampsOf(project.servers)).toEqual(before)
    expect(project.has("off")).toBe(false)
  })

  test("asks all servers, however few at once", async () => {
    const project = createProject({ a: echo, b: echo, c: echo })
    expect((await project.run({ concurrency: 1 })).servers.map(({ name, ok }) => [name, ok])).toEqual([
      ["a", true],
      ["b", true],
      ["c", true],
    ])
    expect(project.progress).toEqual(["0/3 connecting", "1/3 a", "2/3 b", "3/3 c"])
  })

  test("describes a server as the configuration does, else by its instructions", async () => {
    const everything = packageServer("@modelcontextprotocol/server-everything/dist/index.js")
    const project = createProject({ echo: { ...echo, description: "Says it again." }, everything })
    await project.run()
    const { servers } = JSON.parse(readFileSync(join(project.servers, "index.json"), "utf8"))
    expect(servers.echo.description).toBe("Says it again.")
    expect(servers.everything.description).toMatch(/^Everything Server/)
  })

  test("takes the types of results that were discovered, and keeps their file", async () => {
    const project = createProject({ echo: { ...echo, tools: { allow: ["fail", "add"] } } })
    expect((await project.run()).servers).toMatchObject([{ tools: 2, typedResults: 1 }])
    const types = join(project.servers, "echo/types.discovered.ts")
    writeFileSync(types, "export interface FailResult { never: true }\nexport type SleepResult = string\n")
    expect((await project.run()).servers).toMatchObject([{ tools: 2, typedResults: 2 }])
    expect(readFileSync(join(project.servers, "echo/fail.ts"), "utf8")).toContain('from "./types.discovered.ts"')
    expect(await project.run()).toMatchObject({ written: 0, removed: 0 })
    expect(existsSync(types)).toBe(true)
  })

  test("removes servers that are gone or disabled", async () => {
    const project = createProject({ a: echo, b: echo, c: echo })
    await project.run()
    project.configure({ a: echo, b: { ...echo, disabled: true } })
    const { removed } = await project.run()
    expect(removed).toBeGreaterThan(10)
    expect([project.has("a/add.ts"), project.has("b/add.ts"), project.has("c/add.ts")]).toEqual([true, false, false])
  })
})

describe("a server that fails", () => {
  test("stops nobody, is reported, and leaves its last good files", async () => {
    const project = createProject({ good: echo, moody: echo })
    await project.run()
    const silent = { ...fixtureServer("silent"), timeout: 700 }
    project.configure({ good: echo, moody: missing, silent, exits: fixtureServer("exits"), late: files })
    const { servers, removed } = await project.run()
    expect(servers.map(({ name, ok, error }) => [name, ok, error?.code])).toMatchObject([
      ["good", true, undefined],
      ["moody", false, "E_SERVER_CONNECT"],
      ["silent", false, "E_SERVER_TIMEOUT"],
      ["exits", false, expect.stringMatching(/^E_SERVER_/)],
      ["late", true, undefined],
    ])
    expect(removed).toBe(0)
    expect(project.has("moody/add.ts")).toBe(true)
    expect(project.has("late/readFile.ts")).toBe(true)
    expect(project.has("silent")).toBe(false)
    const manifest = JSON.parse(readFileSync(join(project.servers, "index.json"), "utf8"))
    expect(Object.keys(manifest.servers)).toEqual(["good", "late", "moody"])
  })
})

describe("with names, generate", () => {
  test("asks only these, and leaves all others as they are", async () => {
    const project = createProject({ a: echo, b: echo, c: echo })
    await project.run()
    project.configure({ a: { ...echo, tools: { allow: ["add"] } }, b: missing, d: echo })
    const { servers, removed } = await project.run({ servers: ["a", "a"] })
    expect(servers).toEqual([{ name: "a", ok: true, tools: 1, typedResults: expect.any(Number) }])
    expect(removed).toBe(3)
    const there = ["a/add.ts", "a/sleep.ts", "b/add.ts", "c/add.ts", "d/add.ts"].map(project.has)
    expect(there).toEqual([true, false, true, true, false])
  })

  test("beside another generate loses nothing", async () => {
    const project = createProject({ a: echo, b: echo, c: files })
    await Promise.all([
      project.run({ servers: ["a"] }),
      project.run({ servers: ["b"] }),
      project.run({ servers: ["c"] }),
    ])
    expect(["a/add.ts", "b/add.ts", "c/readFile.ts"].map(project.has)).toEqual([true, true, true])
    expect((await project.run()).written).toBe(0)
  })

  test("refuses unknown and disabled ones before anything is started or written", async () => {
    const project = createProject({ echo, off: { ...echo, disabled: true } })
    await expect(project.run({ servers: ["echo", "ecko"] })).rejects.toMatchObject({
      code: "E_SERVER_UNKNOWN",
      hint: "Did you mean 'echo'? There are: echo, off",
    })
    await expect(project.run({ servers: ["off"] })).rejects.toMatchObject({ code: "E_SERVER_DISABLED" })
    expect(existsSync(project.servers)).toBe(false)
  })
})

describe("generate --check", () => {
  test("writes nothing and tells what is stale", async () => {
    const project = createProject({ echo })
    const { written, stale } = await project.run({ check: true })
    expect(existsSync(project.servers)).toBe(false)
    expect(stale).toContain("echo/add.ts")
    expect(stale).toHaveLength(written)
    await project.run()
    expect(await project.run({ check: true })).toMatchObject({ written: 0, removed: 0, stale: [] })
    writeFileSync(join(project.servers, "echo/add.ts"), "// Generated by mcp-exec. Do not edit.\n// mine now\n")
    expect((await project.run({ check: true })).stale).toContain("echo/add.ts")
    project.configure({})
    expect((await project.run({ check: true })).stale).toContain("echo/sleep.ts")
    expect(project.has("echo/sleep.ts")).toBe(true)
  })
})
