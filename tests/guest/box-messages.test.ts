import { expect, test } from "bun:test"
import { createFrameReader, encodeFrame, maxFrameBytes } from "../../src/guest/box-messages.ts"

const frames = [
  [1, Uint8Array.from([1, 2, 3])],
  [3, new Uint8Array(0)],
  [2, new Uint8Array(maxFrameBytes).fill(7)],
] as const
const stream = Buffer.concat(frames.map(([kind, content]) => encodeFrame(kind, content)))

for (const size of [1_000_000_000, 65_536, 4093]) {
  test(`frames arrive whole in pieces of at most ${size} bytes`, () => {
    const seen: [number, Uint8Array][] = []
    const read = createFrameReader(
      (kind, content) => seen.push([kind, content.slice()]),
      () => expect.unreachable(),
    )
    for (let at = 0; at < stream.length; at += size) read(stream.subarray(at, at + size))
    expect(seen.map(([kind, content]) => [kind, Bun.hash(content)])).toEqual(
      frames.map(([kind, content]) => [kind, Bun.hash(content)]),
    )
  })
}

test("a frame that claims to be too large ends the stream, once and for all", () => {
  let broken = 0
  const read = createFrameReader(
    () => expect.unreachable(),
    () => broken++,
  )
  read(Uint8Array.from([1, 0xff, 0xff, 0xff, 0xff, 1, 2, 3]))
  read(encodeFrame(1, Uint8Array.from([1])))
  expect(broken).toBe(1)
})
