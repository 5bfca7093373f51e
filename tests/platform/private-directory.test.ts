import { afterAll, describe, expect, test } from "bun:test"
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { makePrivate, removeStale } from "../../src/platform/private-directory.ts"
import { runtimeDirectory } from "../../src/platform/runtime-directory.ts"

const root = mkdtempSync(join(tmpdir(), "mcp-exec-private-"))
afterAll(() => rmSync(root, { recursive: true }))

describe("a private folder", () => {
  test("is made with its parents, for the user alone", () => {
    const folder = join(root, "a/b/c")
    makePrivate(folder)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })

  test("that others could enter is closed to them", () => {
    const folder = join(root, "open")
    makePrivate(folder)
    chmodSync(folder, 0o777)
    makePrivate(folder)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })

  test("cannot be somebody's link to elsewhere", () => {
    symlinkSync(root, join(root, "link"))
    expect(() => makePrivate(join(root, "link"))).toThrow("is not a directory")
  })

  test("loses what dead processes left in it, and nothing else", () => {
    const folder = join(root, "sweep")
    makePrivate(folder)
    const dead = Bun.spawnSync(["true"]).pid
    for (const name of [`${dead}.1`, `${dead}.x.ts`, `${process.pid}.1`, "1.1", "notes"])
      writeFileSync(join(folder, name), "")
    removeStale(folder)
    expect(readdirSync(folder).sort()).toEqual(["1.1", `${process.pid}.1`, "notes"].sort())
  })
})

describe("the runtime directory", () => {
  test("is in XDG_RUNTIME_DIR where there is one, else in the cache", async () => {
    const runtime = join(root, "run")
    expect(await runtimeDirectory({ XDG_RUNTIME_DIR: runtime }, join(root, "cache"))).toBe(join(runtime, "mcp-exec"))
    expect(await runtimeDirectory({}, join(root, "cache"))).toBe(join(root, "cache/run"))
  })

  test("is in the temporary folder when the path is too long for a socket, or cannot be made", async () => {
    const TMPDIR = join(root, "tmp")
    const expected = join(TMPDIR, `mcp-exec-${process.getuid?.()}`)
    expect(await runtimeDirectory({ TMPDIR }, join(root, "x".repeat(100)))).toBe(expected)
    writeFileSync(join(root, "file"), "")
    expect(await runtimeDirectory({ TMPDIR }, join(root, "file"))).toBe(expected)
    expect(statSync(expected).mode & 0o777).toBe(0o700)
  })
})
