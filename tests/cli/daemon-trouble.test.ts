// A daemon only saves time: whatever is wrong with it, commands do their work without it, and say nothing.
import { describe, expect, test } from "bun:test"
import { copyFileSync, mkdirSync, readdirSync, statSync, utimesSync } from "node:fs"
import { daemonAddress } from "../../src/broker/daemon-address.ts"
import { fixtureServer } from "../fixtures/config.ts"
import { eventually } from "../fixtures/eventually.ts"
import { builtProgram } from "../fixtures/program.ts"
import { waitForEnd } from "../fixtures/project.ts"
import { callScript, createDaemonProject, expectOneDaemon, startedDaemons } from "./daemon-project.ts"

const echo = { echo: fixtureServer("echo") }
const files = { "pid.ts": callScript("echo", "pid") }
const fine = { code: 0, stderr: "" }

describe("a daemon", () => {
  test("that does not answer is done without, and replaced", async () => {
    await using it = createDaemonProject({ servers: echo, files })
    const stuck = await it.startDaemon()
    const { stdout: warm } = await it.run(["call", "echo.pid"])
    process.kill(stuck, "SIGSTOP")
    try {
      for (const words of [
        ["exec", "pid.ts"],
        ["call", "echo.pid"],
      ]) {
        const cold = await it.run(words)
        expect(cold).toMatchObject(fine)
        expect(cold.stdout).not.toBe(warm)
      }
      await eventually(() => startedDaemons(it.project).at(-1) !== stuck)
      expect(await it.run(["exec", "pid.ts"])).toMatchObject(fine)
      expect(await it.waitForDaemon()).not.toBe(stuck)
    } finally {
      process.kill(stuck, "SIGCONT")
    }
    await waitForEnd(stuck)
  })

  test("that cannot be started is done without", async () => {
    await using it = createDaemonProject({ servers: echo, files })
    mkdirSync(it.project.path(".cache/run"), { recursive: true, mode: 0o700 })
    const address = await daemonAddress(it.project.path(".cache/run"), it.project.path("mcp_config.json"), {})
    mkdirSync(`${address}.lock/full`, { recursive: true })
    for (let time = 0; time < 2; time++) {
      expect(await it.run(["exec", "pid.ts"])).toMatchObject(fine)
      expect(await it.run(["call", "echo.pid"])).toMatchObject(fine)
    }
    expect(startedDaemons(it.project)).toEqual([])
  })

  test("is not what answers with something else, and takes its place", async () => {
    await using it = createDaemonProject({ servers: echo, files })
    mkdirSync(it.project.path(".cache/run"), { recursive: true, mode: 0o700 })
    const address = await daemonAddress(it.project.path(".cache/run"), it.project.path("mcp_config.json"), {})
    const open = (socket: Bun.Socket) => void socket.write("220 ready\n")
    using _ = Bun.listen({ unix: address, socket: { open, data() {} } })
    expect(await it.run(["exec", "pid.ts"])).toMatchObject(fine)
    expect(await it.run(["call", "echo.pid"])).toMatchObject(fine)
    expect(await it.waitForDaemon()).toBeGreaterThan(0)
  })

  test("needs no log", async () => {
    await using it = createDaemonProject({ servers: echo, files: { ...files, ".cache/daemon": "a file" } })
    expect(await it.startDaemon()).toBeGreaterThan(0)
    expect(await it.run(["exec", "pid.ts"])).toMatchObject(fine)
  })

  test("is not asked about a configuration that it has not read, though size and time of the file are the same", async () => {
    await using it = createDaemonProject({ servers: { one: fixtureServer("echo") } })
    const path = it.project.path("mcp_config.json")
    const before = await it.startDaemon()
    expect(await it.run(["call", "one.pid"])).toMatchObject(fine)
    const { atimeMs, mtimeMs } = statSync(path)
    it.project.write({ "mcp_config.json": (await Bun.file(path).text()).replace('"one"', '"two"') })
    utimesSync(path, atimeMs / 1000, mtimeMs / 1000)
    const { stderr } = await it.run(["exec", "-e", callScript("one", "pid")])
    expect(stderr).toContain("E_SERVER_UNKNOWN")
    await waitForEnd(before)
  })

  test("of another program is not used, and ends", async () => {
    await using it = createDaemonProject({ servers: echo, files })
    const program = [it.project.path("mcp-exec")]
    const install = () => {
      copyFileSync(builtProgram(), it.project.path("new"))
      utimesSync(it.project.path("new"), new Date(), new Date())
      Bun.spawnSync(["mv", it.project.path("new"), ...program])
    }
    install()
    await it.run(["daemon", "start"], { program })
    const warm = await it.run(["exec", "pid.ts"], { program })
    const [before = 0] = startedDaemons(it.project)
    install()
    const cold = await it.run(["exec", "pid.ts"], { program })
    expect(cold).toMatchObject(fine)
    expect(cold.stdout).not.toBe(warm.stdout)
    await waitForEnd(before, 30_000)
    await eventually(() => startedDaemons(it.project, / started for /).length === 2)
    await it.run(["daemon", "stop"], { program })
  })
})

test("fifty calls that find no daemon start exactly one, which has their server at hand", async () => {
  await using it = createDaemonProject({ servers: echo })
  const program = [builtProgram()]
  const calls = await Promise.all(Array.from({ length: 50 }, () => it.run(["call", "echo.pid"], { program })))
  expect(calls.filter(({ code, stderr }) => code !== 0 || stderr !== "")).toEqual([])
  await eventually(() => startedDaemons(it.project).length > 0)
  const pid = async () => (await it.run(["call", "echo.pid"], { program })).stdout
  // One that has no time for a caller is done without.
  await eventually(
    async () => [await pid(), await pid()],
    ([one, other]) => one === other,
  )
  expectOneDaemon(it.project)
  // Nobody else may enter the folder of its socket.
  expect(statSync(it.project.path(".cache/run")).mode & 0o777).toBe(0o700)
  await it.run(["daemon", "stop"], { program })
  expect(readdirSync(it.project.path(".cache/run"))).toEqual([])
}, 120_000)
