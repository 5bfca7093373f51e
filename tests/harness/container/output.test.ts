import { describe, expect, test } from "bun:test"
import { Output } from "../../../src/harness/container/output.ts"

const bytes = (text: string) => new TextEncoder().encode(text)

function capture(maxBytes: number) {
  const seen: string[] = []
  let cuts = 0
  const output = new Output({
    capture: true,
    maxBytes,
    onOutput: (stream, chunk) => seen.push(`${stream} ${new TextDecoder().decode(chunk)}`),
    onCut: () => cuts++,
    pause: () => expect.unreachable(),
    resume: () => expect.unreachable(),
  })
  return { output, seen, cuts: () => cuts }
}

describe("captured output", () => {
  test("is kept by stream, up to exactly its limit, and seen as it comes", async () => {
    const { output, seen, cuts } = capture(10)
    output.take("stdout", bytes("12345"))
    output.take("stderr", bytes("abcde"))
    await output.flush()
    expect([output.text("stdout"), output.text("stderr"), cuts()]).toEqual(["12345", "abcde", 0])
    expect(seen).toEqual(["stdout 12345", "stderr abcde"])
  })

  test("is seen and not kept, when nobody wants it at the end", () => {
    const seen: string[] = []
    const output = new Output({
      ...{ capture: true, isForgotten: true, maxBytes: Number.POSITIVE_INFINITY },
      onOutput: (stream, chunk) => seen.push(`${stream} ${new TextDecoder().decode(chunk)}`),
      ...{ onCut: () => expect.unreachable(), pause: () => expect.unreachable(), resume: () => expect.unreachable() },
    })
    output.take("stdout", bytes("12345"))
    expect(seen).toEqual(["stdout 12345"])
    expect(output.text("stdout")).toBe("")
  })

  test("is cut at its limit, once, with a word about it", () => {
    const { output, cuts } = capture(10)
    output.take("stdout", bytes("12345678"))
    output.take("stderr", bytes("abcdefgh"))
    output.take("stdout", bytes("never seen"))
    expect(output.text("stdout")).toBe("12345678")
    expect(output.text("stderr")).toBe("ab\n[ERROR] The script's output was cut after 10 bytes\n")
    expect(cuts()).toBe(1)
  })
})
