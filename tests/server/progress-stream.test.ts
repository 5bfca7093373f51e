import { expect, test } from "bun:test"
import { ProgressStream } from "../../src/server/progress-stream.ts"

const bytes = (text: string) => new TextEncoder().encode(text)

test("what is printed at once is told at once, in whole characters", async () => {
  const told: [number, string][] = []
  const stream = new ProgressStream()
  stream.attach((amount, message) => told.push([amount, message]))
  const [first, second] = [bytes("é").subarray(0, 1), bytes("é").subarray(1)]
  stream.write("stdout", bytes("a"))
  stream.write("stdout", first)
  stream.write("stderr", bytes("b"))
  await Bun.sleep(100)
  stream.write("stdout", second)
  stream.end()
  expect(told).toEqual([
    [3, "ab"],
    [4, "é"],
  ])
})

test("of a flood the newest part is told", async () => {
  const told: string[] = []
  const stream = new ProgressStream()
  stream.attach((_, message) => told.push(message))
  for (let line = 0; line < 10_000; line += 1) stream.write("stdout", bytes(`line ${line}\n`))
  stream.end()
  expect(told).toHaveLength(1)
  expect(told[0]).toEndWith("line 9999\n")
  expect(told[0]?.length).toBeLessThan(4100)
})

test("nobody needs to listen", () => {
  const stream = new ProgressStream()
  stream.write("stdout", bytes("a"))
  stream.attach(undefined)
  stream.end()
})
