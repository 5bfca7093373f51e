// A day in miniature: what a daemon takes must not grow with the calls that it has answered.
import { expect, test } from "bun:test"
import { readdirSync } from "node:fs"
import { openDaemonCall } from "../../../src/operations/daemon/call.ts"
import { createDaemonProject, type DaemonProject } from "../../cli/daemon-project.ts"
import { fixtureServer } from "../../fixtures/config.ts"
import { eventually } from "../../fixtures/eventually.ts"

const calls = 10_000
const atATime = 10

test("ten thousand calls of as many callers leave a daemon as large as it was, with the same open files", async () => {
  await using it = createDaemonProject({ servers: { echo: fixtureServer("echo") } })
  const pid = await it.startDaemon()
  // The code has to be compiled, and the heap to find its size.
  await call(it, calls / 5)
  await Bun.sleep(2500)
  const before = await lookAt(it, pid)
  expect(await call(it, calls)).toBeGreaterThan(calls * 0.99)
  // When nobody has used it for a moment it gives back what it can.
  const after = await eventually(
    () => lookAt(it, pid),
    ({ openFiles, rssBytes }) => openFiles === before.openFiles && rssBytes / before.rssBytes < 1.1,
  )
  expect(after.pid).toBe(pid)
}, 240_000)

/** How many of so many calls the daemon has answered: callers do not wait long for one that is busy. */
async function call(it: DaemonProject, times: number): Promise<number> {
  let answered = 0
  const caller = async () => {
    for (let at = 0; at < times / atATime; at++) {
      const run = await openDaemonCall(it.context())
      if (run === undefined) continue
      const { value } = await run.perform({ target: "echo.echo", args: { at }, pairs: [], raw: false })
      expect(value).toEqual({ at })
      await run.close()
      answered++
    }
  }
  await Promise.all(Array.from({ length: atATime }, caller))
  return answered
}

/** What it takes while nobody uses it. */
async function lookAt(it: DaemonProject, pid: number) {
  const { daemon } = await eventually(it.status, (status) => status.daemon?.runs === 0)
  // The connection on which we have just asked may be one of them.
  await Bun.sleep(200)
  const openFiles = process.platform === "linux" ? readdirSync(`/proc/${pid}/fd`).length : 0
  return { pid: daemon?.pid, rssBytes: daemon?.rssBytes ?? 0, openFiles }
}
