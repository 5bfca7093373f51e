import { describe, expect, test } from "bun:test"
import { tmpdir } from "node:os"
import { median, race, racePrinted } from "../../bench/measure.ts"

const print = (code: string) => [process.execPath, "-e", code]

test("the median is the middle, or between the two in the middle", () => {
  expect(median([3, 1, 2])).toBe(2)
  expect(median([4, 1, 3, 2])).toBe(2.5)
})

describe("a race", () => {
  test("gives each its turns, and compares with the first", async () => {
    let prepared = 0
    const [floor, other] = await race(
      [
        { name: "floor", command: print("1") },
        { name: "other", command: print("Bun.sleepSync(1000)"), every: 2, prepare: () => prepared++ },
      ],
      3,
      tmpdir(),
    )
    expect(floor).toMatchObject({ name: "floor", ratio: 1, turns: 3 })
    expect(other?.turns).toBe(2)
    expect(other?.medianMs).toBeGreaterThan(1000)
    expect(other?.ratio).toBeGreaterThan(1)
    // Two more to fill the caches.
    expect(prepared).toBe(4)
  })

  test("is over when one fails", async () => {
    const command = print('console.error("no"); process.exit(3)')
    await expect(race([{ name: "bad", command }], 1, tmpdir())).rejects.toThrow(/^bad failed with 3: no/)
  })

  test("is over when one does not print what it should", async () => {
    const contestant = { name: "quick", command: print('console.log("nothing")'), prints: "hello" }
    await expect(race([contestant], 1, tmpdir())).rejects.toThrow("quick did not print hello: nothing")
  })

  test("takes the word of those who measure themselves", async () => {
    const contestants = [
      { name: "floor", command: print("console.log(2)") },
      { name: "other", command: print("console.log(process.env.MS)"), env: { MS: "5" } },
    ]
    expect(await racePrinted(contestants, 2, tmpdir())).toEqual([
      { name: "floor", medianMs: 2, ratio: 1, turns: 2 },
      { name: "other", medianMs: 5, ratio: 2.5, turns: 2 },
    ])
  })

  test("is over when one prints no time", async () => {
    const contestant = { name: "mute", command: print("console.log()") }
    await expect(racePrinted([contestant], 1, tmpdir())).rejects.toThrow("mute printed no time")
  })
})
