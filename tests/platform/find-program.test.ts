import { expect, test } from "bun:test"
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { findProgram } from "../../src/platform/find-program.ts"

test("a program is found as the system finds it", () => {
  const root = mkdtempSync(join(tmpdir(), "mcp-exec-find-"))
  for (const name of ["first", "second"]) {
    mkdirSync(join(root, name))
    writeFileSync(join(root, name, "tool"), "#!/bin/sh\n")
    chmodSync(join(root, name, "tool"), name === "first" ? 0o644 : 0o755)
  }
  const path = `${join(root, "first")}:${join(root, "second")}`
  expect(findProgram("tool", path)).toBe(join(root, "second/tool"))
  expect(findProgram("tool", join(root, "first"))).toBeUndefined()
  expect(findProgram("no-such-tool", path)).toBeUndefined()
  expect(findProgram("tool", undefined)).toBeUndefined()
  for (const written of ["/bin/sh", "./tool", "bin/tool"]) expect(findProgram(written, path)).toBe(written)
  rmSync(root, { recursive: true })
})
