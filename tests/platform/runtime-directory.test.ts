import { afterAll, describe, expect, test } from "bun:test"
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { cacheDirectory } from "../../src/platform/directories.ts"
import { runtimeDirectory } from "../../src/platform/runtime-directory.ts"

// Not the temp folder of the system: on some its path is too long for a socket already.
const root = mkdtempSync("/tmp/mcp-exec-rt-")
afterAll(() => rmSync(root, { recursive: true }))

let count = 0
/** A folder of its own for each test. */
function folder(): string {
  const path = join(root, String(count++))
  mkdirSync(path)
  return path
}

const mode = (path: string) => statSync(path).mode & 0o777
const own = `mcp-exec-${process.getuid?.()}`

describe("the runtime directory", () => {
  test("is in XDG_RUNTIME_DIR, and only the user may enter it", async () => {
    const runtime = folder()
    const directory = await runtimeDirectory({ XDG_RUNTIME_DIR: runtime }, folder())
    expect(directory).toBe(join(runtime, "mcp-exec"))
    expect(mode(directory)).toBe(0o700)
  })

  test("is in the cache when XDG_RUNTIME_DIR is missing, empty or relative", async () => {
    for (const XDG_RUNTIME_DIR of [undefined, "", "run"]) {
      const cache = folder()
      expect(await runtimeDirectory({ XDG_RUNTIME_DIR }, cache)).toBe(join(cache, "run"))
      expect(mode(join(cache, "run"))).toBe(0o700)
    }
    expect(existsSync("run")).toBe(false)
  })

  test("is closed to others when it was made open, under a folder that others can enter", async () => {
    const temporary = folder()
    mkdirSync(join(temporary, own))
    chmodSync(join(temporary, own), 0o777)
    const directory = await runtimeDirectory({ TMPDIR: temporary }, "/dev/null")
    expect(directory).toBe(join(temporary, own))
    expect(mode(directory)).toBe(0o700)
  })

  const blocked = "/dev/null"
  const cases: { name: string; cache: string; TMPDIR?: string; want: (temporary: string) => string }[] = [
    { name: "a cache that cannot be written", cache: blocked, want: (temporary) => join(temporary, own) },
    {
      name: "a path that is too long for a socket",
      cache: `/${"x".repeat(100)}`,
      want: (temporary) => join(temporary, own),
    },
    {
      name: "a TMPDIR that does not exist",
      cache: blocked,
      TMPDIR: "/dev/null/nowhere",
      want: () => join("/tmp", own),
    },
    { name: "a TMPDIR that is empty", cache: blocked, TMPDIR: "", want: () => join("/tmp", own) },
    { name: "a TMPDIR that is relative", cache: blocked, TMPDIR: "here", want: () => join("/tmp", own) },
  ]
  for (const { name, cache, TMPDIR, want } of cases) {
    test(`is elsewhere because of ${name}`, async () => {
      const temporary = folder()
      expect(await runtimeDirectory({ TMPDIR: TMPDIR ?? temporary }, cache)).toBe(want(temporary))
      expect(existsSync("here")).toBe(false)
    })
  }

  test("is not a file in its place", async () => {
    const [cache, temporary] = [folder(), folder()]
    writeFileSync(join(cache, "run"), "something")
    expect(await runtimeDirectory({ TMPDIR: temporary }, cache)).toBe(join(temporary, own))
  })

  test("is not what somebody has put in its place", async () => {
    for (const trap of ["file", "link"]) {
      const temporary = folder()
      if (trap === "file") writeFileSync(join(temporary, own), "")
      else symlinkSync(folder(), join(temporary, own))
      const directory = await runtimeDirectory({ TMPDIR: temporary }, blocked)
      expect(directory).not.toStartWith(temporary)
    }
  })
})

test("a cache directory that is relative starts where the program was started", () => {
  expect(cacheDirectory({ MCP_EXEC_CACHE_DIR: "some/cache" }, "linux")).toBe(join(process.cwd(), "some/cache"))
})
