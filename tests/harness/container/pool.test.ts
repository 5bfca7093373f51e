import { afterAll, describe, expect, test } from "bun:test"
import { chmodSync, existsSync, mkdirSync, rmSync } from "node:fs"
import { createPool, fillPool } from "../../../src/harness/container/pool.ts"
import { keyOf } from "../../../src/harness/container/waiting.ts"
import { createProject } from "../../fixtures/project.ts"
import { boxPlan } from "./box-plan.ts"

// An engine that starts nothing, and leaves a note that it was asked to.
const project = createProject({ files: { podman: `#!/bin/sh\ntouch "$NOTE"\nexit 1\n` } })
chmodSync(project.path("podman"), 0o755)
afterAll(() => project[Symbol.dispose]())
const note = project.path("note")
const env = { PATH: process.env.PATH, NOTE: note }
const plan = boxPlan(project.path("podman"))

/** A folder in which so many wait, and whether an engine was asked to start another. */
async function fillWith(waiting: { alike: number; others: number }, size: number): Promise<boolean> {
  const directory = project.path(`run-${crypto.randomUUID().slice(0, 8)}`)
  mkdirSync(directory)
  const key = keyOf(plan, env)
  for (let count = 0; count < waiting.alike; count++) mkdirSync(`${directory}/warm.podman.${key}.${count}`)
  for (let count = 0; count < waiting.others; count++) mkdirSync(`${directory}/warm.podman.abcd.${100 + count}`)
  rmSync(note, { force: true })
  await fillPool(plan, { size, directory }, env)
  expect(existsSync(`${directory}/warm.lock`)).toBe(false)
  return existsSync(note)
}

describe("filling the pool", () => {
  const cases = [
    { name: "starts what is missing", waiting: { alike: 1, others: 3 }, size: 2, want: true },
    { name: "stops when enough wait", waiting: { alike: 2, others: 0 }, size: 2, want: false },
    { name: "stops when sixteen wait, whatever for", waiting: { alike: 0, others: 16 }, size: 2, want: false },
  ]
  for (const { name, waiting, size, want } of cases) {
    test(name, async () => expect(await fillWith(waiting, size)).toBe(want))
  }

  test("does not begin when the pool has been closed", async () => {
    const directory = project.path("run-closed")
    mkdirSync(directory)
    rmSync(note, { force: true })
    const pool = createPool({ size: 2, directory })
    pool.use(plan, env)
    await pool.close()
    await Bun.sleep(300)
    expect(existsSync(note)).toBe(false)
  })
})
