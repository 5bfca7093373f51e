import { describe, expect, test } from "bun:test"
import { existsSync, readdirSync } from "node:fs"
import { daemonLogs, startDaemonNow, stopDaemon } from "../../src/operations/daemon/control.ts"
import { fixtureServer, placeholder } from "../fixtures/config.ts"
import { eventually } from "../fixtures/eventually.ts"
import { isRunning, waitForEnd, waitForOutput } from "../fixtures/project.ts"
import { callScript, createDaemonProject, expectOneDaemon } from "./daemon-project.ts"

const echo = { echo: fixtureServer("echo") }
const pidScript = { "pid.ts": callScript("echo", "pid") }

const isSame = ([one, other]: string[]) => one === other

describe("a daemon", () => {
  test("is started by the first script that uses a server, and serves the next", async () => {
    await using it = createDaemonProject({ servers: echo, files: pidScript })
    const first = await it.run(["exec", "pid.ts"])
    expect(first).toMatchObject({ code: 0, stderr: "" })
    const daemon = await it.waitForDaemon()
    // One that has no time for a caller is done without.
    const both = async () => [await it.run(["exec", "pid.ts"]), await it.run(["call", "echo.pid"])] as const
    const [second] = await eventually(both, ([exec, call]) => exec.stdout === call.stdout)
    expect(second).toMatchObject({ code: 0, stderr: "" })
    expect(second.stdout).not.toBe(first.stdout)
    expect(await isRunning(Number(second.stdout))).toBe(true)
    expect(await it.waitForDaemon()).toBe(daemon)
  })

  test("is not started by a script that calls nothing, nor by a server that lives in the program", async () => {
    await using it = createDaemonProject({
      servers: { ...echo, own: { type: "builtin", name: "echo" } },
      files: { "plain.ts": "console.log(1)", "own.ts": callScript("own", "echo", { message: "hi" }) },
    })
    expect((await it.run(["exec", "plain.ts"])).code).toBe(0)
    await it.run(["exec", "own.ts"])
    expect(existsSync(it.project.path(".cache/daemon"))).toBe(false)
    expect((await it.status()).running).toBe(false)
  })

  test("is not used where it is not wanted", async () => {
    await using it = createDaemonProject({ servers: echo, files: pidScript })
    await it.startDaemon()
    const pids = [
      await it.run(["exec", "pid.ts"]),
      await it.run(["exec", "--no-daemon", "pid.ts"]),
      await it.run(["call", "--no-daemon", "echo.pid"]),
      await it.run(["exec", "pid.ts"], { env: { MCP_EXEC_DAEMON: "0" } }),
    ].map(({ stdout }) => stdout)
    expect(new Set(pids).size).toBe(4)
  })

  test("is wanted when the configuration says so", async () => {
    await using it = createDaemonProject({ servers: echo, files: pidScript, config: { daemon: true } })
    await it.startDaemon()
    const options = { env: { MCP_EXEC_DAEMON: "" } }
    const pid = async () => (await it.run(["exec", "pid.ts"], options)).stdout
    await eventually(async () => [await pid(), await pid()], isSame)
  })

  test("is started once, however many want it at the same moment", async () => {
    await using it = createDaemonProject({ servers: echo, files: pidScript })
    const reports = await Promise.all(Array.from({ length: 50 }, () => startDaemonNow(it.context())))
    expect(new Set(reports.map(({ daemon }) => daemon?.pid)).size).toBe(1)
    expectOneDaemon(it.project)
    const { lines } = await daemonLogs(it.context(), { lines: 1000 })
    expect(lines.filter((line) => line.includes(" started for "))).toHaveLength(1)
  })

  test("cancels a call whose caller is interrupted", async () => {
    await using it = createDaemonProject({ servers: echo })
    await it.startDaemon()
    const calling = it.start(["call", "echo.wait", "ms:=60000"])
    const callsUnderWay = async () => (await it.status()).daemon?.servers[0]?.calls ?? 0
    while ((await callsUnderWay()) === 0) await Bun.sleep(20)
    await Bun.sleep(100)
    calling.kill("SIGINT")
    expect((await calling.finished).code).toBe(130)
    while ((await callsUnderWay()) > 0) await Bun.sleep(20)
  })

  test("remembers a script that worked, so that it can be saved as a skill", async () => {
    await using it = createDaemonProject({
      servers: echo,
      files: { ...pidScript, "fails.ts": 'throw new Error("no")' },
    })
    await it.startDaemon()
    await it.run(["exec", "fails.ts"])
    expect(existsSync(it.project.path(".cache/runs"))).toBe(false)
    await it.run(["exec", "pid.ts"])
    const folder = it.project.path(".cache/runs")
    const written = () => (existsSync(folder) ? readdirSync(folder).find((each) => each.endsWith(".json")) : undefined)
    while (written() === undefined) await Bun.sleep(20)
    const name = written()
    const { path, tools } = await Bun.file(it.project.path(`.cache/runs/${name}`)).json()
    expect({ path, tools }).toEqual({ path: it.project.path("pid.ts"), tools: [["echo", "pid"]] })
  })

  test("leaves nothing when it is stopped: no process, no socket, no server", async () => {
    await using it = createDaemonProject({ servers: echo, files: pidScript })
    const daemon = await it.startDaemon()
    const server = Number((await it.run(["exec", "pid.ts"])).stdout)
    const { code, stdout } = await it.run(["daemon", "stop", "--json"])
    expect({ code, ...JSON.parse(stdout) }).toEqual({ code: 0, stopped: [daemon] })
    await waitForEnd(daemon)
    await waitForEnd(server)
    expect(readdirSync(it.project.path(".cache/run"))).toEqual([])
    expect(await stopDaemon(it.context())).toEqual({ stopped: [] })
  })
})

describe("a daemon is replaced", () => {
  test("when the configuration changes, without losing a call under way", async () => {
    await using it = createDaemonProject({
      servers: echo,
      files: { ...pidScript, "wait.ts": `console.log("started")\n${callScript("echo", "wait", { ms: 2500 })}` },
    })
    const before = await it.startDaemon()
    const waiting = it.start(["exec", "wait.ts"])
    await waitForOutput(waiting, "started")
    await Bun.sleep(400)
    it.project.write({ "mcp_config.json": JSON.stringify({ mcpServers: { ...echo, more: fixtureServer("echo") } }) })
    const after = await it.startDaemon()
    expect(after).not.toBe(before)
    expect((await it.run(["exec", "pid.ts"])).code).toBe(0)
    expect(await waiting.finished).toMatchObject({ code: 0, stdout: 'started\n"waited"\n', stderr: "" })
    await waitForEnd(before)
    expect(await it.waitForDaemon()).toBe(after)
  })

  test("by restart, while what runs goes on", async () => {
    await using it = createDaemonProject({
      servers: echo,
      files: { "wait.ts": `console.log("started")\n${callScript("echo", "wait", { ms: 1500 })}` },
    })
    const before = await it.startDaemon()
    const waiting = it.start(["exec", "wait.ts"])
    await waitForOutput(waiting, "started")
    await Bun.sleep(300)
    const { stdout } = await it.run(["daemon", "restart", "--json"])
    expect(JSON.parse(stdout).daemon.pid).not.toBe(before)
    expect(await waiting.finished).toMatchObject({ code: 0, stderr: "" })
    await waitForEnd(before)
  })

  test("when it was killed: its socket blocks nobody, and its servers are gone", async () => {
    await using it = createDaemonProject({ servers: echo, files: pidScript })
    const daemon = await it.startDaemon()
    const server = Number((await it.run(["exec", "pid.ts"])).stdout)
    process.kill(daemon, "SIGKILL")
    await waitForEnd(server)
    expect(readdirSync(it.project.path(".cache/run"))).toHaveLength(1)
    const cold = await it.run(["exec", "pid.ts"])
    expect(cold).toMatchObject({ code: 0, stderr: "" })
    expect(await it.waitForDaemon()).not.toBe(daemon)
    expect((await it.run(["exec", "pid.ts"])).code).toBe(0)
  })

  test("when it was killed during a call, which fails and is not repeated", async () => {
    await using it = createDaemonProject({
      files: { "note.ts": callScript("ledger", "note", { id: "once", ms: 20_000 }) },
      config: {},
    })
    const ledger = fixtureServer("ledger", it.project.path("ledger"), it.project.path("processes"))
    it.project.write({ "mcp_config.json": JSON.stringify({ mcpServers: { ledger } }) })
    const daemon = await it.startDaemon()
    const running = it.start(["exec", "note.ts"])
    while (it.lines("ledger").length === 0) await Bun.sleep(20)
    process.kill(daemon, "SIGKILL")
    const { code, stderr } = await running.finished
    expect(code).toBe(1)
    expect(stderr).toContain("E_BROKER")
    expect(stderr).toContain("daemon has ended")
    expect(it.lines("ledger")).toEqual(["once"])
    for (const pid of it.lines("processes")) await waitForEnd(Number(pid))
  })

  test("when it was killed during a call of the command line, which says that it may have run", async () => {
    await using it = createDaemonProject({ config: {} })
    const ledger = fixtureServer("ledger", it.project.path("ledger"), it.project.path("processes"))
    it.project.write({ "mcp_config.json": JSON.stringify({ mcpServers: { ledger } }) })
    const daemon = await it.startDaemon()
    const running = it.start(["call", "--json", "ledger.note", "--args", '{"id": "once", "ms": 20000}'])
    while (it.lines("ledger").length === 0) await Bun.sleep(20)
    process.kill(daemon, "SIGKILL")
    const { code, stdout } = await running.finished
    expect(code).toBe(1)
    expect(JSON.parse(stdout).error).toMatchObject({
      code: "E_BROKER",
      hint: expect.stringContaining("has run is not known"),
    })
    expect(it.lines("ledger")).toEqual(["once"])
  })
})

describe("servers of a daemon", () => {
  test("are connected anew for a caller with other credentials, and only those that use them", async () => {
    const keyed = { ...fixtureServer("echo"), env: { KEY: placeholder("SECRET") } }
    await using it = createDaemonProject({
      servers: { ...echo, keyed },
      files: {
        "both.ts": `import { callTool } from "mcp-exec"
const { env } = await callTool("keyed", "environment")
console.log(await callTool("echo", "pid"), await callTool("keyed", "pid"), env.KEY, env.SECRET, env.OTHER)`,
      },
    })
    await it.startDaemon()
    const run = async (env: Record<string, string>) => (await it.run(["exec", "both.ts"], { env })).stdout.split(/\s/)
    const first = await run({ SECRET: "one", OTHER: "x" })
    const again = await run({ SECRET: "one", OTHER: "y" })
    const other = await run({ SECRET: "two", OTHER: "x" })
    expect(again).toEqual(first)
    expect(first.slice(2, 5)).toEqual(["one", "undefined", "undefined"])
    expect(other[0]).toBe(first[0] as string)
    expect(other[1]).not.toBe(first[1])
    expect(other[2]).toBe("two")
    await waitForEnd(Number(first[1]))
    const without = await it.run(["exec", "both.ts"])
    expect(without.code).toBe(1)
    expect(without.stderr).toContain("E_CONFIG_VARIABLE")
  })

  test("end with the run when they are not to be kept", async () => {
    await using it = createDaemonProject({
      servers: { echo: { ...fixtureServer("echo"), keepAlive: false } },
      files: pidScript,
    })
    await it.startDaemon()
    const first = await it.run(["exec", "pid.ts"])
    await waitForEnd(Number(first.stdout))
    const second = await it.run(["exec", "pid.ts"])
    expect(second.code).toBe(0)
    expect(second.stdout).not.toBe(first.stdout)
  })

  test("are connected at the start when the configuration says so", async () => {
    await using it = createDaemonProject({
      servers: { ...echo, other: fixtureServer("echo") },
      config: { warm: ["echo"] },
    })
    await it.startDaemon()
    for (;;) {
      const { daemon } = await it.status()
      expect(daemon?.servers.map(({ name }) => name) ?? []).not.toContain("other")
      if (daemon?.servers.some(({ name, connected }) => name === "echo" && connected)) break
      await Bun.sleep(20)
    }
  })
})
