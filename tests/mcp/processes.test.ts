import { describe, expect, setDefaultTimeout, test } from "bun:test"
import { Guard } from "../../src/platform/guard.ts"
import { fixtureServer, placeholder } from "../fixtures/config.ts"
import { eventually } from "../fixtures/eventually.ts"
import { failureOf, isRunning, startManager, temporaryDirectory } from "./manager-fixture.ts"

setDefaultTimeout(120_000)

describe.concurrent("processes of servers", () => {
  test("a server that exits when its input ends is gone after closing", async () => {
    const manager = await startManager({ echo: fixtureServer("echo") })
    const pid = (await manager.callTool("echo", "pid", {})) as number
    await manager.close()
    expect(await isRunning(pid)).toBe(false)
  })

  test("a server that ignores the end of its input is asked to end, and has time to", async () => {
    using directory = temporaryDirectory()
    const note = `${directory.path}/note`
    const manager = await startManager({ stubborn: fixtureServer("stubborn", note) })
    const pid = (await manager.callTool("stubborn", "pid", {})) as number
    await manager.close()
    expect(await isRunning(pid)).toBe(false)
    expect(await Bun.file(note).text()).toBe("asked to end")
  })

  test("a server that ignores TERM is killed", async () => {
    const manager = await startManager({ stubborn: fixtureServer("stubborn", "term") })
    const pid = (await manager.callTool("stubborn", "pid", {})) as number
    await manager.close()
    expect(await isRunning(pid)).toBe(false)
  })

  test("grandchildren that ignore TERM end with their server", async () => {
    const manager = await startManager({ orphans: fixtureServer("orphans") })
    const children = (await manager.callTool("orphans", "children", {})) as number[]
    expect(await Promise.all(children.map(isRunning))).toEqual([true, true])
    await manager.close()
    await eventually(async () => (await Promise.all(children.map(isRunning))).every((running) => !running))
  })

  test("grandchildren that a dead server left behind, holding its output, are ended at once", async () => {
    await using manager = await startManager({ orphans: fixtureServer("orphans", "mild") })
    const children = (await manager.callTool("orphans", "children", {})) as number[]
    const started = performance.now()
    const error = await failureOf(manager.callTool("orphans", "leave", {}))
    expect(error).toMatchObject({ code: "E_SERVER_CLOSED", details: { exitCode: 0 } })
    // They would hold it for ever.
    expect(performance.now() - started).toBeLessThan(15_000)
    await eventually(async () => (await Promise.all(children.map(isRunning))).every((running) => !running))
    expect(await manager.callTool("orphans", "children", {})).not.toEqual(children)
  })

  test("closing waits for what a dead server left behind", async () => {
    const manager = await startManager({ orphans: fixtureServer("orphans") })
    const children = (await manager.callTool("orphans", "children", {})) as number[]
    await failureOf(manager.callTool("orphans", "leave", {}))
    expect(manager.listServers()[0]?.connected).toBe(false)
    await manager.close()
    // Less than the two seconds that they are given to end by themselves.
    const isAnyLeft = async () => (await Promise.all(children.map(isRunning))).includes(true)
    await eventually(isAnyLeft, (isLeft) => !isLeft, 1500)
  })

  test("a server whose connection timed out is ended", async () => {
    const mark = crypto.randomUUID()
    await using manager = await startManager({ silent: { ...fixtureServer("silent", mark), timeout: 5000 } })
    const call = failureOf(manager.callTool("silent", "x", {}))
    await eventually(async () => (await commandLines()).includes(mark))
    expect((await call).code).toBe("E_SERVER_TIMEOUT")
    expect(await commandLines()).not.toContain(mark)
  })

  test("closing takes the time of the slowest server, not of all", async () => {
    const names = ["one", "two", "three", "four", "five", "six"]
    const manager = await startManager(
      Object.fromEntries(names.map((name) => [name, fixtureServer("stubborn", "term")])),
    )
    const pids = (await Promise.all(names.map((name) => manager.callTool(name, "pid", {})))) as number[]
    const started = performance.now()
    await manager.close()
    // Each of them takes more than two seconds.
    expect(performance.now() - started).toBeLessThan(2000 * names.length)
    expect(await Promise.all(pids.map(isRunning))).toEqual(names.map(() => false))
  })

  test("the guard watches each group until it has ended", async () => {
    const operations: string[] = []
    class RecordingGuard extends Guard {
      override watch(pid: number) {
        operations.push(`+ ${pid}`)
      }
      override release(pid: number) {
        operations.push(`- ${pid}`)
      }
    }
    const manager = await startManager(
      { echo: fixtureServer("echo"), crash: fixtureServer("crash") },
      { guard: new RecordingGuard() },
    )
    const echo = await manager.callTool("echo", "pid", {})
    const crash = await manager.callTool("crash", "pid", {})
    expect(operations).toEqual([`+ ${echo}`, `+ ${crash}`])
    await failureOf(manager.callTool("crash", "crash", {}))
    await eventually(() => operations.includes(`- ${crash}`))
    await manager.close()
    expect(operations).toEqual([`+ ${echo}`, `+ ${crash}`, `- ${crash}`, `- ${echo}`])
  })
})

describe.concurrent("the environment of a server", () => {
  const env = {
    PATH: process.env.PATH,
    HOME: "/home/someone",
    LC_ALL: "C",
    XDG_CACHE_HOME: "/cache",
    https_proxy: "http://proxy:1",
    HTTP_PROXY: "http://proxy:2",
    npm_config_registry: "http://registry",
    NODE_EXTRA_CA_CERTS: "/ca.pem",
    AWS_SECRET_ACCESS_KEY: "secret",
    GITHUB_TOKEN: "token",
    SHELL_FUNCTION: "() { :; }",
    TERM: "() { :; }",
    UNSET: undefined,
  }
  type Seen = { env: Record<string, string>; cwd: string }

  test("is a safe part of the user's, and what the config says", async () => {
    const server = { ...fixtureServer("echo"), env: { API_KEY: placeholder("GITHUB_TOKEN"), HOME: "/elsewhere" } }
    await using manager = await startManager({ echo: server }, { env })
    const seen = (await manager.callTool("echo", "environment", {})) as Seen
    const { PWD: _, ...rest } = seen.env
    expect(rest).toEqual({
      PATH: process.env.PATH ?? "",
      HOME: "/elsewhere",
      LC_ALL: "C",
      XDG_CACHE_HOME: "/cache",
      https_proxy: "http://proxy:1",
      HTTP_PROXY: "http://proxy:2",
      npm_config_registry: "http://registry",
      NODE_EXTRA_CA_CERTS: "/ca.pem",
      API_KEY: "token",
    })
  })

  test("includes a working directory relative to the config's", async () => {
    using directory = temporaryDirectory()
    await Bun.write(`${directory.path}/sub/folder/file`, "")
    await using manager = await startManager(
      { here: fixtureServer("echo"), there: { ...fixtureServer("echo"), cwd: "sub/folder" } },
      { directory: directory.path },
    )
    expect(((await manager.callTool("here", "environment", {})) as Seen).cwd).toBe(directory.path)
    expect(((await manager.callTool("there", "environment", {})) as Seen).cwd).toBe(`${directory.path}/sub/folder`)
  })
})

/** Of all processes that run. */
async function commandLines(): Promise<string> {
  return new Response(Bun.spawn(["ps", "-eo", "args"]).stdout).text()
}
