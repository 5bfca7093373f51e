import { describe, expect, test } from "bun:test"
import { MarkedOutput } from "../../src/server/marked-output.ts"

const bytes = (text: string) => new TextEncoder().encode(text)

describe("the output of a snippet", () => {
  test("ends at its mark, however it is cut into pieces", async () => {
    for (const size of [1, 2, 7, 36, 37, 64, 5000]) {
      const output = new MarkedOutput(() => {})
      const report = { ok: false, error: { code: "E_SCRIPT_FAILED", message: "é".repeat(100) } }
      const whole = bytes(`one\ntwo${output.mark}${JSON.stringify(report)}\nof the next`)
      for (let at = 0; at < whole.length; at += size) output.take("stdout", whole.subarray(at, at + size))
      output.take("stderr", bytes(`warning${output.mark}\n`))
      expect<unknown>(await output.report).toEqual(report)
      expect({ stdout: output.stdout, stderr: output.stderr }).toEqual({ stdout: "one\ntwo", stderr: "warning" })
    }
  })

  test("is passed on as it comes, and is not endless", async () => {
    let passed = 0
    const output = new MarkedOutput((_, chunk) => {
      passed += chunk.length
    })
    for (let megabyte = 0; megabyte < 11; megabyte += 1) output.take("stdout", new Uint8Array(1 << 20).fill(0x61))
    await output.full
    expect(passed).toBe(10 << 20)
    // Whatever comes after that is not even looked at.
    output.take("stdout", bytes(`${output.mark}{"ok":true}\n`))
    output.take("stderr", bytes(`${output.mark}\n`))
    expect(await Promise.race([output.report, Bun.sleep(10).then(() => "nothing")])).toBe("nothing")
  })
})
