import { afterEach, describe, expect, test } from "bun:test"
import { InputPipe, untilInputIsWanted } from "../../src/guest/box-input.ts"

const started: Bun.Subprocess[] = []
afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL")
})

/** A process with a pipe for its stdin, and whether its input is wanted after a while. */
function start(command: string[]) {
  const input = new InputPipe()
  const child = Bun.spawn(command, { stdin: input.reader, stdout: "pipe" })
  input.handOver()
  started.push(child)
  let isWanted = false
  const wanted = untilInputIsWanted(child.pid, () => child.exitCode !== null || child.signalCode !== null).then(() => {
    isWanted = true
  })
  return { child, input, wanted, isWanted: () => isWanted }
}

const inBun = (code: string) => [process.execPath, "-e", code]

// The kernel tells it in /proc.
describe.if(process.platform === "linux")("input for a process in a container", () => {
  const readers = [
    { name: "a program that blocks in a read", command: ["cat"] },
    { name: "a child of a shell", command: ["sh", "-c", "cat; true"] },
    { name: "a script that listens", command: inBun("process.stdin.on('data', () => {})") },
    { name: "a script that reads it all", command: inBun("await Bun.stdin.text()") },
    { name: "a script that reads at once", command: inBun("require('node:fs').readFileSync(0)") },
    { name: "a script that opens it", command: inBun("require('node:fs').readFileSync('/dev/stdin')") },
  ]
  for (const { name, command } of readers) {
    test(`is wanted by ${name}`, async () => {
      const { child, input, wanted } = start(command)
      await wanted
      expect(child.exitCode).toBeNull()
      input.end()
      expect(await child.exited).toBe(0)
    })
  }

  const others = [
    { name: "a program that sleeps", command: ["sleep", "10"] },
    { name: "a script that waits for something else", command: inBun("await Bun.sleep(10_000)") },
    { name: "a script that is busy", command: inBun("while (true) {}") },
  ]
  for (const { name, command } of others) {
    test(`is not wanted by ${name}, until that has ended`, async () => {
      const { child, wanted, isWanted } = start(command)
      await Bun.sleep(1000)
      expect(isWanted()).toBe(false)
      child.kill("SIGKILL")
      await wanted
    })
  }

  test("arrives in order and whole, and is dropped when nobody takes it", async () => {
    const { child, input } = start(["cat"])
    const pieces = Array.from({ length: 40 }, (_, index) => new Uint8Array(10_000).fill(97 + (index % 26)))
    for (const piece of pieces) void input.write(piece)
    input.end()
    const text = await new Response(child.stdout as ReadableStream).text()
    expect(text).toBe(Buffer.concat(pieces).toString())
    const gone = start(["true"])
    await gone.child.exited
    for (let count = 0; count < 3; count++) await gone.input.write(new Uint8Array(100_000))
    gone.input.end()
  })
})
