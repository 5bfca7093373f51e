import { describe, expect, test } from "bun:test"
import { existsSync, readFileSync } from "node:fs"
import { readElf } from "../../../src/harness/container/elf.ts"

describe.if(process.platform === "linux")("a program for Linux", () => {
  const needs = readElf(readFileSync(process.execPath))

  test("names its loader and its libraries", () => {
    expect(existsSync(needs?.interpreter ?? "")).toBe(true)
    expect(needs?.libraries.some((name) => /^libc\./.test(name))).toBe(true)
    expect<string | undefined>(needs?.machine).toBe(process.arch)
  })

  test("is told apart from a library, which has no loader", () => {
    const library = ["/lib/x86_64-linux-gnu/libm.so.6", "/lib/aarch64-linux-gnu/libm.so.6", "/lib64/libm.so.6"].find(
      existsSync,
    )
    if (library === undefined) return
    const { interpreter, libraries } = readElf(readFileSync(library)) ?? { libraries: [] }
    expect({ interpreter, libraries }).toMatchObject({
      interpreter: undefined,
      libraries: ["libc.so.6", expect.anything()].slice(0, libraries.length),
    })
  })
})

const others = {
  nothing: new Uint8Array(0),
  text: new TextEncoder().encode("#!/bin/sh\n".repeat(20)),
  "the beginning of a program": new Uint8Array([0x7f, 0x45, 0x4c, 0x46]),
  "a 32-bit program": Uint8Array.from({ length: 100 }, (_, index) => [0x7f, 0x45, 0x4c, 0x46, 1, 1][index] ?? 0),
}
for (const [name, bytes] of Object.entries(others)) {
  test(`${name} is not a program for a sandbox`, () => expect(readElf(bytes)).toBeUndefined())
}
