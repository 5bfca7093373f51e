import { afterAll, describe, expect, test } from "bun:test"
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { putFile, readIfThere } from "../../../src/operations/init/put-file.ts"

const root = mkdtempSync(join(tmpdir(), "mcp-exec-put-"))
afterAll(() => rmSync(root, { recursive: true }))

describe("a file that is written at once", () => {
  test("gets its folders, and leaves nothing beside it", () => {
    const path = join(root, "a/b/file.txt")
    putFile(path, "text")
    putFile(path, "again")
    expect(readFileSync(path, "utf8")).toBe("again")
    expect(readdirSync(join(root, "a/b"))).toEqual(["file.txt"])
  })

  test("keeps its rights and stays behind its link", () => {
    const target = join(root, "target.txt")
    writeFileSync(target, "old")
    chmodSync(target, 0o640)
    symlinkSync(target, join(root, "link.txt"))
    putFile(join(root, "link.txt"), "new")
    expect(lstatSync(join(root, "link.txt")).isSymbolicLink()).toBe(true)
    expect(readFileSync(target, "utf8")).toBe("new")
    expect(statSync(target).mode & 0o777).toBe(0o640)
  })

  test("is for its owner alone when that is wanted", () => {
    const path = join(root, "secret.txt")
    writeFileSync(path, "old")
    putFile(path, "new", 0o600)
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  test("that cannot be written leaves nothing behind", () => {
    mkdirSync(join(root, "folder.txt/inside"), { recursive: true })
    expect(() => putFile(join(root, "folder.txt"), "text")).toThrow()
    expect(readdirSync(root).filter((name) => name.startsWith("."))).toEqual([])
  })
})

test("a missing file has no text, and a folder is not taken for one", () => {
  expect(readIfThere(join(root, "missing"))).toBeUndefined()
  expect(() => readIfThere(root)).toThrow()
})
