import { expect, test } from "bun:test"
import { existsSync } from "node:fs"
import { withLock } from "../../../src/harness/container/lock.ts"
import { createProject } from "../../fixtures/project.ts"

test("one at a time holds the lock, and it is gone afterwards, also after a failure", async () => {
  using project = createProject()
  const file = project.path("deep/lock")
  let inside = 0
  let most = 0
  const work = async (index: number) => {
    most = Math.max(most, ++inside)
    await Bun.sleep(5)
    inside--
    if (index === 1) throw new Error("failed")
    return index
  }
  const results = await Promise.allSettled([0, 1, 2, 3].map((index) => withLock(file, () => work(index))))
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled"])
  expect({ most, isLeft: existsSync(file) }).toEqual({ most: 1, isLeft: false })
})

test("the lock of a process that is gone does not count", async () => {
  const gone = Bun.spawnSync(["true"]).pid
  using project = createProject({ files: { lock: String(gone) } })
  expect(await withLock(project.path("lock"), async () => "done")).toBe("done")
})
