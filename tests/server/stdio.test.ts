import { describe, expect, test } from "bun:test"
import { mkdirSync, symlinkSync } from "node:fs"
import { basename, join } from "node:path"
import { fixtureServer } from "../fixtures/config.ts"
import { createProject, isRunning, repository, waitForEnd } from "../fixtures/project.ts"
import { connectStdio, eras } from "./served.ts"

const skill = `import { skill } from "mcp-exec"
export default skill({ name: "hello", description: "Says hello to the world." }, async () => "hello")`

for (const era of eras) {
  describe(`over stdio, in revision ${era},`, () => {
    test("the loop works: generate, search, read, execute, discover", async () => {
      using project = createProject({
        servers: { own: { type: "builtin", name: "echo" }, broken: { command: "does-not-exist" } },
        files: {
          "skills/hello.ts": skill,
          "discovery_config.json": JSON.stringify({ servers: {} }),
        },
      })
      await using served = await connectStdio(project, { era })
      expect((await served.call("search_tools", { query: "" })).text).toBe(
        "hello (skill): Says hello to the world.\nNo servers have been generated: call generate_wrappers.",
      )
      const heard: string[] = []
      const onprogress = ({ message }: { message?: string }) => void heard.push(message ?? "")
      const generated = await served.call("generate_wrappers", {}, { onprogress })
      expect(heard[0]).toBe("connecting")
      expect(generated.text).toContain("own: 4 tools")
      expect(generated.text).toContain("broken: error[E_SERVER_CONNECT]")
      expect(generated._meta?.["mcp-exec/result"]).toMatchObject({
        servers: [{ name: "own", ok: true }, { ok: false }],
      })
      expect((await served.call("generate_wrappers", { servers: ["own"], check: true })).text).toContain(
        "Nothing is stale",
      )
      const all = await served.call("search_tools", { query: "" })
      expect(all.text.split("\n")).toEqual([
        "hello (skill): Says hello to the world.",
        expect.stringMatching(/^own \(4 tools\)/),
      ])
      expect((await served.call("search_tools", { query: "", server: "own" })).text).toContain(
        "own.add: Adds two numbers",
      )
      const found = await served.call("search_tools", { query: "add numbers", limit: 1, detail: "full" })
      expect(found.text).toContain('import { add } from "')
      const run = await served.run({ code: 'import { add } from "#servers/own"\nawait add({ a: 20, b: 22 })' })
      expect(run).toMatchObject({ ok: true, output: '{"sum":42}\n' })
      expect(await served.run({ skill: "hello" })).toMatchObject({ output: "hello\n" })
      const discovered = await served.call("discover_schemas", { tools: ["own.add"] })
      expect(discovered.text).toMatch(/own\.add/)
      // Nothing but the protocol was on stdout, or the client would have complained; nothing odd on stderr.
      expect(served.stderr()).not.toContain("error")
    })

    test("works without any configuration, and fails only where one is needed", async () => {
      using project = createProject()
      await using served = await connectStdio(project, { era })
      expect(await served.run({ code: "6 * 7" })).toMatchObject({ output: "42\n" })
      const generated = await served.call("generate_wrappers")
      expect(generated).toMatchObject({ isError: true, text: expect.stringContaining("error[E_CONFIG_NOT_FOUND]") })
    })

    test("a broken configuration is told when it is used, and mended without a restart", async () => {
      using project = createProject({ files: { "mcp_config.json": "{ nonsense" } })
      await using served = await connectStdio(project, { era })
      expect((await served.client.listTools()).tools).toHaveLength(4)
      expect(await served.run({ code: "1" })).toMatchObject({
        ok: false,
        exitCode: 3,
        error: { code: "E_CONFIG_SYNTAX" },
      })
      expect((await served.call("search_tools", { query: "" })).text).toContain("error[E_CONFIG_SYNTAX]")
      project.write({ "mcp_config.json": JSON.stringify({ mcpServers: { own: { type: "builtin", name: "echo" } } }) })
      expect(await served.run({ code: "1" })).toMatchObject({ ok: true })
      expect((await served.call("generate_wrappers")).text).toContain("own: 4 tools")
      // Broken again while a script runs: that was begun with one that was whole.
      const breaks = "await Bun.write('mcp_config.json', '{ nonsense'); 'done'"
      expect(await served.run({ code: breaks })).toMatchObject({ ok: true, output: "done\n" })
      expect(await served.run({ code: "1" })).toMatchObject({ error: { code: "E_CONFIG_SYNTAX" } })
    })
  })
}

describe("a server over stdio", () => {
  test("ends with its client and leaves nothing behind", async () => {
    using project = createProject({ servers: { echo: fixtureServer("echo") } })
    const served = await connectStdio(project)
    const { output } = await served.run({ code: 'import { callTool } from "mcp-exec"\nawait callTool("echo.pid")' })
    await served.run({ session: "a", code: "1" })
    const session = await served.run({ session: "a", code: "process.pid" })
    const pids = [Number(output), Number(session.output), served.pid]
    for (const pid of pids) expect(await isRunning(pid)).toBe(true)
    await served.client.close()
    await Promise.all(pids.map((pid) => waitForEnd(pid)))
  })

  for (const signal of ["SIGTERM", "SIGINT", "SIGKILL"] as const) {
    test(`ends at ${signal}, with everything it has started`, async () => {
      using project = createProject({ servers: { echo: fixtureServer("echo") } })
      const served = await connectStdio(project)
      const { output } = await served.run({ code: 'import { callTool } from "mcp-exec"\nawait callTool("echo.pid")' })
      const long = served.run({
        code: "await Bun.write('pid', String(process.pid)); await new Promise((r) => setTimeout(r, 60000))",
      })
      long.catch(() => {})
      let script = 0
      while (script === 0) {
        script = Number(
          await Bun.file(project.path("pid"))
            .text()
            .catch(() => 0),
        )
        await Bun.sleep(20)
      }
      process.kill(served.pid, signal)
      await Promise.all([served.pid, Number(output), script].map((pid) => waitForEnd(pid)))
    })
  }

  test("ends when its input does, without a signal, and takes what runs with it", async () => {
    using project = createProject({ servers: { echo: fixtureServer("echo") } })
    const child = Bun.spawn([process.execPath, join(repository, "src/main.ts"), "serve"], {
      cwd: project.directory,
      env: { PATH: process.env.PATH ?? "", HOME: project.directory, MCP_EXEC_CACHE_DIR: project.path(".cache") },
      stdin: "pipe",
      stdout: "ignore",
      stderr: "ignore",
    })
    const code = `import { callTool } from "mcp-exec"
await Bun.write("pids", process.pid + " " + (await callTool("echo.pid")))
await new Promise((resolve) => setTimeout(resolve, 60_000))`
    const clientInfo = { name: "t", version: "1" }
    const say = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
    say({ id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo } })
    say({ method: "notifications/initialized" })
    say({ id: 2, method: "tools/call", params: { name: "execute_script", arguments: { code } } })
    await child.stdin.flush()
    let pids = ""
    while (pids === "") {
      await Bun.sleep(20)
      pids = await Bun.file(project.path("pids"))
        .text()
        .catch(() => "")
    }
    for (const pid of pids.split(" ")) expect(await isRunning(Number(pid))).toBe(true)
    await child.stdin.end()
    expect(await child.exited).toBe(0)
    for (const pid of pids.split(" ")) await waitForEnd(Number(pid))
  })

  test("answers what is not JSON, and goes on", async () => {
    using project = createProject()
    const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"1999-01-01","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
    const { stdout, code } = await project.run(["serve"], {
      stdin: `not json\nnull\n[]\n${hello}\n{"jsonrpc":"2.0","id":2,"method":"tools/list"}\n`,
    })
    const answers = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
    expect(code).toBe(0)
    for (const answer of answers.splice(0, 3)) expect(answer).toMatchObject({ error: { code: -32700 } })
    expect(answers[0]).toMatchObject({
      id: 1,
      result: { protocolVersion: "2025-11-25", serverInfo: { name: "mcp-exec" } },
    })
    expect(answers[1].result.tools).toHaveLength(4)
  })

  test("says why it hangs up when a message is too long", async () => {
    using project = createProject()
    const { stdout, code } = await project.run(["serve"], {
      stdin: `{"jsonrpc":"2.0","x":"${"x".repeat(11 << 20)}"}\n`,
    })
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      error: { code: -32600, message: expect.stringContaining("longer than") },
    })
  })

  test("shows no more of a script that allows itself more", async () => {
    using project = createProject({ config: { serve: { maxOutputTokens: 100 } } })
    await using served = await connectStdio(project)
    const more = JSON.stringify({ mcpServers: {}, serve: { maxOutputTokens: 1_000_000 } })
    const code = `await Bun.write("mcp_config.json", ${JSON.stringify(more)}); "word ".repeat(5000)`
    const { ok, output, artifacts } = await served.run({ code })
    expect({ ok, artifacts: artifacts?.length }).toEqual({ ok: true, artifacts: 1 })
    expect(output.length).toBeLessThan(1000)
  })

  test("turns away more calls than a client may make", async () => {
    using project = createProject({ config: { serve: { callsPerMinute: 12 } } })
    await using served = await connectStdio(project)
    // At once: after five seconds there is room for another.
    const runs = [1, 2, 3].map(() => served.run({ code: "1" }))
    const search = served.call("search_tools", { query: "x" })
    const limited = { ok: false, exitCode: 5, error: { code: "E_LIMIT" } }
    expect(await Promise.all(runs)).toMatchObject([{ ok: true }, { ok: true }, limited])
    // Every tool is counted, and says when to come again.
    const { isError, text } = await search
    expect(isError).toBe(true)
    expect(text).toMatch(/^error\[E_LIMIT\]: More than 12 calls in a minute\nhint: Try again in \d+ ms/)
  })

  test("turns away more runs than may wait", async () => {
    using project = createProject({ config: { serve: { maxRuns: 1, maxWaiting: 1 } } })
    await using served = await connectStdio(project)
    const code = 'while (!(await Bun.file("go").exists())) await Bun.sleep(10)'
    const runs = [1, 2, 3].map(() => served.run({ code }))
    expect(await Promise.race(runs)).toMatchObject({ error: { code: "E_LIMIT" } })
    project.write({ go: "" })
    expect((await Promise.all(runs)).map(({ error }) => error?.code).sort()).toEqual(["E_LIMIT", undefined, undefined])
  })

  test("says when there is no sandbox to be had, and goes on", async () => {
    using project = createProject()
    await using served = await connectStdio(project, { env: { PATH: project.directory } })
    expect(await served.run({ code: "1", sandbox: true })).toMatchObject({
      ok: false,
      exitCode: 5,
      error: { code: "E_SANDBOX" },
    })
    expect(await served.run({ code: "1" })).toMatchObject({ ok: true })
  })

  test("takes no script from outside of the project into a sandbox", async () => {
    using elsewhere = createProject({ files: { "secret.ts": "console.log('secret')", key: "PRIVATE KEY" } })
    using project = createProject({ config: { sandbox: { enabled: true } } })
    mkdirSync(project.path("workspace"))
    symlinkSync(elsewhere.path("key"), project.path("workspace/link.ts"))
    symlinkSync(elsewhere.directory, project.path("linked"))
    await using served = await connectStdio(project)
    const above = `../${basename(elsewhere.directory)}/secret.ts`
    for (const path of [elsewhere.path("secret.ts"), above, "workspace/link.ts", "linked/secret.ts", "/etc/passwd"]) {
      const { ok, output, error } = await served.run({ path })
      expect({ path, ok, output, code: error?.code }).toEqual({ path, ok: false, output: "", code: "E_SANDBOX" })
      expect(error?.message).toContain("leads out of the project")
    }
  })

  test("does not let a call out of a sandbox that is configured", async () => {
    using project = createProject({ config: { sandbox: { enabled: true } } })
    await using served = await connectStdio(project)
    expect(await served.run({ code: "1", sandbox: false })).toMatchObject({ ok: false, error: { code: "E_SANDBOX" } })
    const inSession = await served.run({ code: "1", session: "a", sandbox: false })
    expect(inSession).toMatchObject({ ok: false, error: { code: "E_SANDBOX" } })
  })
})
