import { afterAll, describe, expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { connect, listen, type Socket, wholeCharacters } from "../../src/platform/socket.ts"

const root = mkdtempSync(join(tmpdir(), "mcp-exec-socket-"))
afterAll(() => rmSync(root, { recursive: true }))
let sockets = 0

/** What arrives when `send` has sent and ended. */
async function transfer(send: (socket: Socket) => void): Promise<string> {
  const path = join(root, String(sockets++))
  const { promise, resolve } = Promise.withResolvers<string>()
  const chunks: Uint8Array[] = []
  const listener = await listen(path, () => ({
    data: (chunk) => void chunks.push(new Uint8Array(chunk)),
    closed: () => resolve(Buffer.concat(chunks).toString()),
  }))
  const socket = await connect(path, { data() {}, closed() {} })
  send(socket)
  socket.end()
  const text = await promise
  listener.close()
  return text
}

describe("a socket", () => {
  const texts = [
    { name: "a text that is larger than a slice", given: ["a line\n".repeat(300_000)] },
    { name: "characters of every width, wherever slices end", given: ["x", "aä€😀".repeat(200_000)] },
    { name: "wide characters alone", given: ["😀".repeat(400_000)] },
    { name: "many small texts", given: Array.from({ length: 50_000 }, (_, index) => `message ${index} 😀\n`) },
    { name: "large texts between small ones", given: ["a", "b".repeat(900_000), "", "c", "ä".repeat(300_000), "d"] },
  ]
  for (const { name, given } of texts) {
    test(`sends ${name}`, async () => {
      const arrived = await transfer((socket) => {
        for (const text of given) socket.send(text)
      })
      expect(arrived === given.join("")).toBe(true)
    })
  }

  test("tells how much still waits, and when nothing does", async () => {
    const path = join(root, "waits")
    const drained = Promise.withResolvers<number>()
    let accepted: Socket | undefined
    const listener = await listen(path, (socket) => {
      accepted = socket
      return { data() {}, closed() {} }
    })
    const sender = await connect(path, { data() {}, drained: () => drained.resolve(sender.queued), closed() {} })
    while (accepted === undefined) await Bun.sleep(1)
    accepted.pause()
    sender.send("x".repeat(5_000_000))
    await Bun.sleep(20)
    expect(sender.queued).toBeGreaterThan(4_000_000)
    accepted.resume()
    expect(await drained.promise).toBe(0)
    listener.close()
  })
})

test("a slice of a text ends before a character that does not fit", () => {
  expect(wholeCharacters("ab😀c", 0, 3)).toBe("ab")
  expect(wholeCharacters("ab😀c", 0, 4)).toBe("ab😀")
  expect(wholeCharacters("ab😀c", 2, 3)).toBe("😀c")
  expect(wholeCharacters("ab\ud83d", 0, 3)).toBe("ab\ud83d")
})
