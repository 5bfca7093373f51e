import { expect, test } from "bun:test"
import { lstatSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type TarEntry, tarOf } from "../../../src/harness/container/tar.ts"

const content = new TextEncoder().encode("x".repeat(1000))
const entries: TarEntry[] = [
  { kind: "directory", path: "tmp/", mode: 0o1777 },
  { kind: "directory", path: "bin/", mode: 0o755 },
  { kind: "file", path: "bin/program", mode: 0o755, content },
  { kind: "file", path: "empty", mode: 0o644, content: new Uint8Array(0) },
]

test("an archive is what tar takes for one", () => {
  const folder = mkdtempSync(join(tmpdir(), "mcp-exec-tar-"))
  try {
    const archive = Buffer.concat([...tarOf(entries)])
    expect(archive.length % 512).toBe(0)
    const { exitCode, stderr } = Bun.spawnSync(["tar", "-xpf", "-", "-C", folder], { stdin: archive, stderr: "pipe" })
    expect({ exitCode, stderr: stderr.toString() }).toEqual({ exitCode: 0, stderr: "" })
    expect(readFileSync(join(folder, "bin/program"))).toEqual(Buffer.from(content))
    expect(lstatSync(join(folder, "bin/program")).mode & 0o7777).toBe(0o755)
    expect(lstatSync(join(folder, "tmp")).mode & 0o7777).toBe(0o1777)
    expect(readFileSync(join(folder, "empty")).length).toBe(0)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test("the same content is the same archive", () => {
  const hash = () => Bun.hash(Buffer.concat([...tarOf(entries)]))
  expect(hash()).toBe(hash())
})

test("a name that does not fit is an error, not a broken archive", () => {
  const path = "x".repeat(101)
  expect(() => [...tarOf([{ kind: "file", path, mode: 0o644, content }])]).toThrow("does not fit")
})
