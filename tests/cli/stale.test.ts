import { describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { eventually } from "../fixtures/eventually.ts"
import { createProject, type Project } from "../fixtures/project.ts"
import { echo, fixture } from "./servers-config.ts"

const warning = (problem: string) => `[WARNING] servers/ is stale: ${problem}. Run mcp-exec generate.\n`

/** A project whose servers have been generated. */
async function generated(servers: Record<string, Record<string, unknown>>): Promise<Project> {
  const project = createProject({ servers })
  await generate(project)
  return project
}

async function generate(project: Project): Promise<void> {
  expect(await project.run(["generate"])).toMatchObject({ code: 0, stderr: "" })
}

const configure = (project: Project, mcpServers: unknown) =>
  project.write({ "mcp_config.json": JSON.stringify({ mcpServers }) })

/** What `ls` says besides the list. */
async function warningOf(project: Project): Promise<string> {
  const { code, stderr } = await project.run(["ls"])
  expect(code).toBe(0)
  return stderr
}

/**
 * What `ls` says when a server has announced its tools during a command. That does not wait long for the server
 * to say which they are: it is run again until the server was quick enough.
 */
async function warningAfter(project: Project, args: string[]): Promise<string> {
  const look = async () => {
    expect(await project.run(args)).toMatchObject({ code: 0, stderr: "" })
    return await warningOf(project)
  }
  return await eventually(look, (stderr) => !stderr.includes("may have changed"))
}

describe("ls warns", () => {
  test("when a server's configuration has changed, until it is generated again", async () => {
    using project = await generated({ echo, other: { ...echo, env: { TOKEN: "hunter2" } } })
    expect(await warningOf(project)).toBe("")
    configure(project, { echo: { ...echo, tools: { deny: ["sleep"] } }, other: { ...echo, env: { TOKEN: "hunter3" } } })
    expect(await warningOf(project)).toBe(warning("the configuration of echo has changed"))
    expect((await project.run(["generate", "--check"])).code).toBe(1)
    await generate(project)
    expect(await warningOf(project)).toBe("")
    expect((await project.run(["generate", "--check"])).code).toBe(0)
  })

  test("when only the configuration is different, and not what the server offers", async () => {
    using project = await generated({ noisy: fixture("announces") })
    configure(project, { noisy: fixture("announces", "--ignored") })
    expect(await warningOf(project)).toBe(warning("the configuration of noisy has changed"))
    const { stdout } = await project.run(["generate"])
    expect(stdout).toContain(": 1 file written, ")
    expect(await warningOf(project)).toBe("")
  })

  test("of all that is wrong in one line, and names ten servers at most of each kind", async () => {
    const many = (prefix: string, entry: unknown) =>
      Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`${prefix}${at}`, entry]))
    using project = await generated({ ...many("a", echo), ...many("b", echo), off: echo })
    const changed = { ...echo, description: "New." }
    configure(project, { ...many("a", changed), ...many("c", echo), off: { ...echo, disabled: true } })
    const stderr = await warningOf(project)
    const ten = (prefix: string, names: string) => new RegExp(`(${prefix}\\d+, ){10}and 2 more ?${names}`)
    expect(stderr.split("\n")).toHaveLength(2)
    expect(stderr).toContain("servers/ is stale: it lacks c0, ")
    expect(stderr).toMatch(ten("c", "; "))
    expect(stderr).toMatch(ten("b", "are no longer configured; "))
    expect(stderr).toContain("; off is disabled; the configuration of a")
    expect(stderr).toMatch(ten("a", "has changed. "))
  })

  test("when a server has announced other tools during a call", async () => {
    using project = await generated({ changing: fixture("changing"), echo })
    const changed = warning("the tools of changing have changed")
    expect(await warningAfter(project, ["call", "changing.grow"])).toBe(changed)
    expect((await project.run(["generate", "echo"])).code).toBe(0)
    expect(await warningOf(project)).toBe(changed)
    await generate(project)
    expect(await warningOf(project)).toBe("")
  })

  test("when a server has announced other tools to a script", async () => {
    using project = await generated({ changing: fixture("changing") })
    project.write({ "grow.ts": 'import { callTool } from "mcp-exec"\nawait callTool("changing", "grow", {})\n' })
    const changed = warning("the tools of changing have changed")
    expect(await warningAfter(project, ["exec", "grow.ts"])).toBe(changed)
  })

  test("when a server was seen with other tools, until it is seen with the same again", async () => {
    using project = createProject({ files: { "tools.txt": "one two" } })
    configure(project, { words: fixture("from-file", project.path("tools.txt")) })
    await generate(project)
    project.write({ "tools.txt": "one three" })
    expect(await warningOf(project)).toBe("")
    expect((await project.run(["tools", "words"])).stdout).toContain("three")
    expect(await warningOf(project)).toBe(warning("the tools of words have changed"))
    project.write({ "tools.txt": "two one" })
    expect((await project.run(["tools", "words"])).code).toBe(0)
    expect(await warningOf(project)).toBe("")
  })

  test("that tools may have changed when a server says so and then says nothing more", async () => {
    using project = await generated({ mute: fixture("announces", "mute") })
    expect(await project.run(["call", "mute.announce", "--args", "{}"])).toMatchObject({ code: 0, stderr: "" })
    expect(await warningOf(project)).toBe(warning("the tools of mute may have changed"))
    await generate(project)
    expect(await warningOf(project)).toBe("")
  })
})

describe("ls does not warn", () => {
  test("when a server only says that its tools have changed", async () => {
    using project = await generated({ noisy: fixture("announces") })
    expect(await warningAfter(project, ["call", "noisy.announce"])).toBe("")
  })

  test("of servers/ that an older version has left", async () => {
    using project = await generated({ changing: fixture("changing") })
    const manifest = JSON.parse(readFileSync(project.path("servers/index.json"), "utf8"))
    delete manifest.servers.changing.offer
    delete manifest.servers.changing.config
    project.write({ "servers/index.json": JSON.stringify(manifest) })
    expect((await project.run(["call", "changing.grow"])).code).toBe(0)
    expect(await warningOf(project)).toBe("")
  })

  test("and nothing fails, where nothing can be noted", async () => {
    using project = await generated({ changing: fixture("changing") })
    const env = { MCP_EXEC_CACHE_DIR: "/dev/null/nowhere" }
    expect(await project.run(["call", "changing.grow"], { env })).toMatchObject({ code: 0, stderr: "" })
    expect(await project.run(["ls"], { env })).toMatchObject({ code: 0, stderr: "" })
    project.write({ ".cache/changed": "a file where a folder should be" })
    expect(await project.run(["call", "changing.grow"])).toMatchObject({ code: 0, stderr: "" })
    expect(await warningOf(project)).toBe("")
  })
})

test("the manifest keeps nothing of a configuration that could be read back", async () => {
  const entry = { ...fixture("announces", "--token", "hunter2"), env: { API_KEY: "hunter2" } }
  using project = await generated({ secretive: entry })
  const text = readFileSync(project.path("servers/index.json"), "utf8")
  expect(text).not.toMatch(/hunter2|--token|API_KEY/)
  expect(JSON.parse(text).servers.secretive).toMatchObject({
    config: expect.stringMatching(/^[\da-f]{12}$/),
    offer: expect.stringMatching(/^[\da-f]{16}$/),
  })
})

test("a generator that was killed between two renames has left servers/ aside, and ls finds it", async () => {
  using project = await generated({ echo })
  const { pid } = Bun.spawnSync(["true"])
  Bun.spawnSync(["mv", project.path("servers"), project.path(`.servers.old-${pid}-0`)])
  expect(await project.run(["ls"])).toMatchObject({ code: 0, stdout: "echo  4 tools\n", stderr: "" })
})
