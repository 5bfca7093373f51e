// Sandboxed scripts that a daemon answers: with its servers, in containers that it has had wait, and without
// any say over it.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { mkdirSync, readdirSync, rmSync } from "node:fs"
import type { DaemonReport } from "../../src/operations/daemon/control.ts"
import { eventually } from "../fixtures/eventually.ts"
import { createProject, type StartOptions, waitForOutput } from "../fixtures/project.ts"
import { containersIn } from "./observe.ts"
import { builtProgram, type EngineName, engines, sandboxEnv } from "./program.ts"

const slow = 120_000
const echo = { type: "builtin", name: "echo" } as const

for (const runtime of engines) describe(`a daemon and the sandbox of ${runtime}`, () => describeDaemon(runtime))

function describeDaemon(runtime: EngineName) {
  const project = createProject({
    servers: { echo, memory: { type: "builtin", name: "memory" } },
    config: { sandbox: { runtime } },
    files: {
      "call.ts": 'import { callTool } from "mcp-exec"\nawait callTool("memory.read_graph", {})\nconsole.log("called")',
      "wait.ts":
        'import { callTool } from "mcp-exec"\nawait callTool("echo.echo", {})\nconsole.log("up")\nawait Bun.sleep(100_000)',
      "orders.ts": orders,
    },
  })
  // Of its own, so that no other test's containers wait here.
  const runtimeFolder = `/tmp/mcp-exec-daemon-${runtime}-${process.pid}`
  const folder = `${runtimeFolder}/mcp-exec`
  const options: StartOptions = {
    program: [builtProgram()],
    env: { ...sandboxEnv(), XDG_RUNTIME_DIR: runtimeFolder, MCP_EXEC_DAEMON: "1" },
  }
  const run = (...args: string[]) => project.run(args, options)
  const status = async (): Promise<DaemonReport> => JSON.parse((await run("daemon", "status", "--json")).stdout)
  const waiting = () => readdirSync(folder).filter((name) => /^warm\..+\.\d+$/.test(name))

  beforeAll(async () => {
    mkdirSync(runtimeFolder, { mode: 0o700 })
    expect(await run("sandbox", "build")).toMatchObject({ code: 0 })
  }, slow)
  afterAll(async () => {
    await run("daemon", "stop")
    // The engine removes that of the last run in its own time.
    await eventually(() => containersIn(runtime, folder).length === 0)
    expect(readdirSync(folder)).toEqual([])
    rmSync(runtimeFolder, { recursive: true, force: true })
    project[Symbol.dispose]()
  }, slow)

  test(
    "a sandboxed run leaves a daemon, the next ones use its servers and its containers",
    async () => {
      expect(await run("exec", "--sandbox", "call.ts")).toEqual({ code: 0, stdout: "called\n", stderr: "" })
      await eventually(async () => (await status()).running)
      const { daemon: before } = await status()
      expect(await run("exec", "--sandbox", "call.ts")).toEqual({ code: 0, stdout: "called\n", stderr: "" })
      const { daemon: after } = await status()
      expect(after?.pid).toBe(before?.pid ?? 0)
      expect(after?.calls).toBeGreaterThan(before?.calls ?? 0)
      expect(after?.servers.find(({ name }) => name === "memory")?.connected).toBe(true)
      await eventually(() => waiting().length === 2)
      const ready = waiting()
      expect(await run("exec", "--sandbox", "call.ts")).toEqual({ code: 0, stdout: "called\n", stderr: "" })
      expect(ready.filter((name) => waiting().includes(name))).toHaveLength(1)
      await eventually(() => waiting().length === 2)
    },
    2 * slow,
  )

  test(
    "it knows which of its callers are sandboxed, and so do the records of their calls",
    async () => {
      const running = project.start(["exec", "--sandbox", "wait.ts"], options)
      await waitForOutput(running, "up")
      expect((await status()).daemon).toMatchObject({ runs: 1, sandboxed: 1 })
      expect((await run("daemon", "status")).stdout).toContain("1 attached (1 in the sandbox)")
      const direct = project.start(["exec", "wait.ts"], options)
      await waitForOutput(direct, "up")
      expect((await status()).daemon).toMatchObject({ runs: 2, sandboxed: 1 })
      for (const each of [running, direct]) each.kill("SIGTERM")
      await Promise.all([running.finished, direct.finished])
      const records = async (flag: string) => {
        const { stdout } = await run("exec", flag, "--json", "call.ts")
        return JSON.parse(stdout).toolCalls.map((call: { sandbox?: true }) => call.sandbox ?? false)
      }
      expect([await records("--sandbox"), await records("--direct")]).toEqual([[true], [false]])
    },
    2 * slow,
  )

  test(
    "a sandboxed script gives it no orders, and registers no run",
    async () => {
      const { daemon: before } = await status()
      const { code, stdout } = await run("exec", "--sandbox", "orders.ts")
      expect({ code, stdout }).toEqual({ code: 0, stdout: "refused\n".repeat(5) })
      const { daemon: after } = await eventually(status, ({ daemon }) => daemon?.runs === 0)
      expect(after).toMatchObject({ pid: before?.pid ?? 0, calls: before?.calls ?? 0 })
    },
    slow,
  )

  test(
    "a caller that is killed takes its container and its socket along",
    async () => {
      const running = project.start(["exec", "--sandbox", "wait.ts"], options)
      await waitForOutput(running, "up")
      running.kill("SIGKILL")
      await eventually(async () => (await status()).daemon?.runs === 0)
      await eventually(() => containersIn(runtime, folder).length === waiting().length)
      expect((await run("exec", "--sandbox", "call.ts")).code).toBe(0)
      expect(readdirSync(folder).filter((name) => name.startsWith(`${running.pid}.`))).toEqual([])
    },
    slow,
  )

  test(
    "has containers wait from its start where the configuration wants every script in one",
    async () => {
      expect((await run("daemon", "stop")).code).toBe(0)
      const config = ["--config", "sandboxed.json"]
      project.write({ "sandboxed.json": JSON.stringify({ mcpServers: { echo }, sandbox: { runtime, enabled: true } }) })
      expect((await run("daemon", "start", ...config)).code).toBe(0)
      await eventually(() => waiting().length === 2)
      const ready = waiting()
      expect((await run("exec", ...config, "-e", "console.log(1)")).stdout).toBe("1\n")
      expect(ready.filter((name) => waiting().includes(name))).toHaveLength(1)
      expect((await run("daemon", "stop", ...config)).code).toBe(0)
      expect(waiting()).toEqual([])
      expect((await run("daemon", "start")).code).toBe(0)
      expect((await run("exec", "--sandbox", "call.ts")).code).toBe(0)
    },
    2 * slow,
  )

  test(
    "it ends what waits when it ends, and runs go on without it",
    async () => {
      await eventually(() => waiting().length === 2)
      expect((await run("daemon", "stop")).code).toBe(0)
      expect({ waiting: waiting(), containers: containersIn(runtime, folder) }).toEqual({ waiting: [], containers: [] })
      const alone = await run("exec", "--sandbox", "--no-daemon", "call.ts")
      expect(alone).toEqual({ code: 0, stdout: "called\n", stderr: "" })
      expect((await status()).running).toBe(false)
    },
    2 * slow,
  )
}

// Says to the socket that it is shown what only a caller may say to a daemon.
const orders = `const messages = [
  { type: "stop", version: 1 },
  { type: "retire", version: 1 },
  { type: "status", version: 1 },
  { type: "attach", version: 1, token: "a-token-of-its-own", records: false, env: {} },
  { type: "fill", plan: {}, env: {} },
]
for (const message of messages) {
  const { promise, resolve } = Promise.withResolvers<string>()
  await Bun.connect({ unix: process.env.MCP_EXEC_BROKER ?? "", socket: {
    open: (socket) => void socket.write(JSON.stringify(message) + "\\n"),
    data: (_, chunk) => resolve(JSON.parse(chunk.toString()).type),
    close: () => resolve("closed"),
  } })
  console.log(await promise)
}
process.exit(0)
`
