import { describe, expect, test } from "bun:test"
import { existsSync, readdirSync } from "node:fs"
import { createMcpExec, type McpExecOptions } from "../../src/index.ts"
import { fixtureServer, placeholder } from "../fixtures/config.ts"
import { createProject, waitForEnd } from "../fixtures/project.ts"
import { echo, environmentOf, openProject } from "./instance.ts"

describe("an instance", () => {
  test("finds the configuration as the command line does", async () => {
    await using opened = await openProject({ servers: { echo } })
    expect(await opened.mcp.listServers()).toEqual({
      configFile: opened.project.path("mcp_config.json"),
      servers: [{ name: "echo", transport: "builtin", endpoint: "echo", disabled: false }],
    })
  })

  test("takes the path of a configuration, seen from its folder", async () => {
    using project = createProject({ files: { "other.json": JSON.stringify({ mcpServers: { other: echo } }) } })
    const options = { cwd: project.directory, env: environmentOf(project), config: "other.json" }
    await using mcp = await createMcpExec(options)
    expect((await mcp.listServers()).servers.map(({ name }) => name)).toEqual(["other"])
  })

  test("takes a configuration as an object, leaves no file of it, and looks for no other", async () => {
    const secret = "xyzzy-6472"
    const config = { mcpServers: { real: { ...fixtureServer("echo"), env: { TOKEN: placeholder("LIBRARY_TOKEN") } } } }
    await using opened = await openProject(
      { servers: { echo }, files: { "skills/two.ts": "console.log(2)" } },
      { config },
    )
    const { mcp, project } = opened
    expect((await mcp.listServers()).servers.map(({ name }) => name)).toEqual(["real"])
    await using own = await createMcpExec({
      config,
      cwd: project.directory,
      env: { ...environmentOf(project), LIBRARY_TOKEN: secret },
    })
    const seen = await own.callTool<{ env: Record<string, string> }>("real.environment")
    expect(seen.env.TOKEN).toBe(secret)
    // servers/, skills/ and the workspace are where they are with a file.
    expect(await own.generate()).toMatchObject({ directory: project.path("servers"), servers: [{ ok: true }] })
    expect(await own.exec({ skill: "two" })).toMatchObject({ ok: true, stdout: "2\n" })
    const where = `import { workspace } from "mcp-exec"; console.log(workspace)`
    expect((await own.exec({ code: where })).stdout).toBe(`${project.path("workspace")}\n`)
    const files = readdirSync(project.directory, { recursive: true, withFileTypes: true }).filter((each) =>
      each.isFile(),
    )
    const texts = await Promise.all(files.map(({ parentPath, name }) => Bun.file(`${parentPath}/${name}`).text()))
    expect(texts.filter((text) => text.includes(secret))).toEqual([])
  })

  test("keeps the limits of an object's sandbox", async () => {
    const config = { sandbox: { enabled: true, maxTimeout: 7 } }
    await using opened = await openProject({}, { config })
    const refused = opened.mcp.exec({ code: "1", timeoutMs: 8000 })
    await expect(refused).rejects.toMatchObject({ code: "E_USAGE", hint: expect.stringContaining("At most 7 s") })
  })

  test("tells of warnings only to onLog", async () => {
    await using opened = await openProject({ config: { mcpServer: {} } })
    expect(opened.logged).toEqual([{ level: "warning", message: expect.stringContaining("mcpServer") }])
  })

  test("knows its own configuration when there are two in a process", async () => {
    await using first = await openProject({
      servers: { echo, same: { ...fixtureServer("echo"), env: { WHO: "first" } } },
    })
    await using second = await openProject(
      {},
      { config: { mcpServers: { same: { ...fixtureServer("echo"), env: { WHO: "second" } } } } },
    )
    const code = `import { callTool, listServers } from "mcp-exec"
      console.log((await callTool("same.environment")).env.WHO, (await listServers()).length)`
    const runs = await Promise.all([first, second].map(({ mcp }) => mcp.exec({ code })))
    const calls = await Promise.all([first, second].map(({ mcp }) => mcp.callTool("same.environment")))
    expect(runs.map(({ stdout }) => stdout)).toEqual(["first 2\n", "second 1\n"])
    expect(calls).toMatchObject([{ env: { WHO: "first" } }, { env: { WHO: "second" } }])
  })
})

describe("closing an instance", () => {
  test("ends servers and scripts, cancels what is under way, and may be done again", async () => {
    const { mcp, project } = await openProject({ servers: { real: fixtureServer("echo") } })
    const server = Number(await mcp.callTool("real.pid"))
    const { promise: started, resolve } = Promise.withResolvers<number>()
    const running = mcp.exec({
      code: "console.log(process.pid); setInterval(() => {}, 1000)",
      onOutput: ({ text }) => resolve(Number(text)),
    })
    const waiting = mcp.callTool("real.wait", { ms: 60_000 }).catch((error) => error)
    const script = await started
    await mcp.close()
    await Promise.all([waitForEnd(server), waitForEnd(script), mcp.close()])
    expect(await running).toMatchObject({ ok: false, error: { code: "E_TOOL_CANCELLED" } })
    expect(await waiting).toMatchObject({ code: "E_TOOL_CANCELLED", server: "real", tool: "wait" })
    for (const late of [() => mcp.callTool("real.pid"), () => mcp.exec({ code: "1" }), () => mcp.skills.list()]) {
      await expect(late()).rejects.toMatchObject({ code: "E_STATE", hint: expect.stringContaining("createMcpExec") })
    }
    project[Symbol.dispose]()
  })

  test("happens at the end of `await using`", async () => {
    using project = createProject({ servers: { real: fixtureServer("echo") } })
    let server = 0
    {
      await using mcp = await createMcpExec({ cwd: project.directory, env: environmentOf(project) })
      server = Number(await mcp.callTool("real.pid"))
    }
    await waitForEnd(server)
    expect(server).toBeGreaterThan(0)
  })
})

const cyclic: Record<string, unknown> = {}
cyclic.mcpServers = cyclic

const refused: { name: string; options: McpExecOptions; want: object }[] = [
  {
    name: "a file that does not exist",
    options: { config: "none.json" },
    want: { name: "ConfigError", code: "E_CONFIG_NOT_FOUND", hint: expect.any(String) },
  },
  {
    name: "a file that is not JSON",
    options: { config: "broken.json" },
    want: { name: "ConfigError", code: "E_CONFIG_SYNTAX", message: expect.stringContaining("broken.json") },
  },
  {
    name: "an object that does not validate",
    options: { config: { mcpServers: { a: { type: "http", url: 5 } as never } } },
    want: {
      name: "ConfigError",
      code: "E_CONFIG_INVALID",
      message: expect.stringMatching(/^config is not a valid configuration:\n {2}mcpServers\.a\.url: /),
      hint: "Correct the object.",
    },
  },
  {
    name: "an object that contains itself",
    options: { config: cyclic },
    want: { name: "ConfigError", code: "E_CONFIG_INVALID", message: expect.stringContaining("JSON") },
  },
  {
    name: "something else than a configuration",
    options: { config: 5 as never },
    want: { name: "ConfigError", code: expect.stringMatching(/^E_CONFIG_/) },
  },
  {
    name: "a folder that does not exist",
    options: { cwd: "/nowhere/at/all" },
    want: { code: "E_USAGE", message: "cwd names a folder that does not exist: /nowhere/at/all" },
  },
]

describe("no instance is opened with", () => {
  for (const { name, options, want } of refused) {
    test(name, async () => {
      using project = createProject({ files: { "broken.json": "{" } })
      const opening = createMcpExec({ cwd: project.directory, env: environmentOf(project), ...options })
      expect(await opening.catch((error) => error)).toMatchObject(want)
      expect(existsSync(project.path("servers"))).toBe(false)
    })
  }
})
