// A day in miniature: what a daemon takes must not grow with the calls that it has answered.
import { expect, test } from "bun:test"
import { readdirSync } from "node:fs"
import { openDaemonCall } from "../../../src/operations/daemon/call.ts"
import { createDaemonProject, type DaemonProject } from "../../cli/daemon-project.ts"
import { fixtureServer } from "../../fixtures/config.ts"

const calls = 10_000
const atATime = 10

test("ten thousand calls of as many callers leave a daemon as large as it was, with the same open files", async () => {
  await using it = createDaemonProject({ servers: { echo: fixtureServer("echo") } })
  const pid = await it.startDaemon()
  // The code has to be compiled, and the heap to find its size.
  await call(it, calls / 5)
  const before = await atRest(it, pid)
  await call(it, calls)
  const after = await atRest(it, pid)
  expect(after.openFiles).toBe(before.openFiles)
  expect(after.rssBytes / before.rssBytes).toBeLessThan(1.1)
}, 240_000)

async function call(it: DaemonProject, times: number): Promise<void> {
  const caller = async () => {
    for (let at = 0; at < times / atATime; at++) {
      const run = await openDaemonCall(it.context())
      if (run === undefined) throw new Error("there is no daemon")
      const { value } = await run.perform({ target: "echo.echo", args: { at }, pairs: [], raw: false })
      expect(value).toEqual({ at })
      await run.close()
    }
  }
  await Promise.all(Array.from({ length: atATime }, caller))
}

/** What it takes when nobody has used it for a moment, and it has given back what it could. */
async function atRest(it: DaemonProject, pid: number) {
  await Bun.sleep(2500)
  const { daemon } = await it.status()
  expect(daemon).toMatchObject({ pid, runs: 0 })
  // The connection on which we have just asked may be one of them.
  await Bun.sleep(200)
  const openFiles = process.platform === "linux" ? readdirSync(`/proc/${pid}/fd`).length : 0
  return { rssBytes: daemon?.rssBytes ?? 0, openFiles }
}
