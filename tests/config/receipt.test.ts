import { afterAll, beforeEach, describe, expect, test } from "bun:test"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { fingerprintOf } from "../../src/config/fingerprint.ts"
import { loadConfig } from "../../src/config/load.ts"
import { type ExecSettings, readExecSettings } from "../../src/config/receipt.ts"
import type { ServerConfig } from "../../src/config/schema.ts"

const root = mkdtempSync(join(tmpdir(), "mcp-exec-receipt-"))
afterAll(() => rmSync(root, { recursive: true }))

let folder: string
let file: string
let cacheDirectory: string
beforeEach(() => {
  folder = mkdtempSync(join(root, "case-"))
  file = join(folder, "mcp_config.json")
  cacheDirectory = join(folder, "cache")
  writeFileSync(
    file,
    JSON.stringify({
      mcpServers: { a: { command: "run-hunter2", env: { TOKEN: "hunter2" } }, b: { url: "https://hunter2.example" } },
      exec: { env: ["AWS_*"], timeout: 5 },
      sandbox: { enabled: true },
      discovery: "observe",
      sandbx: {},
    }),
  )
  settle(file)
})

/** Makes a file look as if nobody had touched it for a while. */
function settle(path: string): void {
  const before = new Date(Date.now() - 10_000)
  utimesSync(path, before, before)
}

const read = async (): Promise<ExecSettings> => readExecSettings({ file, cwd: folder, cacheDirectory })
const receipts = () => readdirSync(join(cacheDirectory, "config"))
const receiptPath = () => join(cacheDirectory, "config", receipts()[0] ?? "none")

/** Makes the receipt recognisable: settings that say so can have come from nowhere else. */
function mark(path = receiptPath()): void {
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, "utf8")), serverNames: ["from the receipt"] }))
}

describe("readExecSettings", () => {
  test("gives what running a script needs, the first and the second time", async () => {
    const { servers, sandbox } = await loadConfig({ file, cwd: folder })
    const want = {
      sandbox,
      file,
      directory: folder,
      workspace: join(folder, "workspace"),
      exec: { env: ["AWS_*"], timeout: 5 },
      sandboxEnabled: true,
      observe: true,
      serverNames: ["a", "b"],
      fingerprints: { a: fingerprintOf(servers.a as ServerConfig), b: fingerprintOf(servers.b as ServerConfig) },
      warnings: ['mcp_config.json: sandbx looks like a typo of "sandbox"'],
    }
    expect(await read()).toEqual(want)
    expect(await read()).toEqual(want)
    expect(receipts()).toHaveLength(1)
  })

  test("without a file gives the defaults of the schema, and leaves no receipt", async () => {
    const config = await loadConfig({ cwd: folder })
    const { directory, workspace, exec, sandbox, discovery, servers, warnings } = config
    expect(await readExecSettings({ cwd: folder, cacheDirectory })).toEqual({
      directory,
      workspace,
      exec,
      sandboxEnabled: sandbox.enabled,
      observe: discovery === "observe",
      serverNames: Object.keys(servers),
      fingerprints: {},
      warnings,
    })
    expect(() => receipts()).toThrow()
  })

  test("of a missing file is an error", async () => {
    rmSync(file)
    expect(await read().catch((error: unknown) => error)).toMatchObject({ code: "E_CONFIG_NOT_FOUND" })
  })
})

describe("a receipt", () => {
  test("from before there were fingerprints is made anew", async () => {
    const settings = await read()
    const { fingerprints: _, ...older } = settings
    writeFileSync(receiptPath(), JSON.stringify(older))
    expect(await read()).toEqual(settings)
  })

  test("has fingerprints of the servers that are enabled", async () => {
    writeFileSync(
      file,
      '{"mcpServers": {"a": {"command": "x"}, "__proto__": {"command": "y"}, "off": {"command": "x", "disabled": true}}}',
    )
    settle(file)
    for (const _ of [1, 2]) expect(Object.keys((await read()).fingerprints)).toEqual(["a", "__proto__"])
  })

  test("stands for the validation", async () => {
    await read()
    mark()
    expect((await read()).serverNames).toEqual(["from the receipt"])
  })

  test("no longer counts when the text changes", async () => {
    await read()
    mark()
    writeFileSync(file, `${readFileSync(file, "utf8")} `)
    expect((await read()).serverNames).toEqual(["a", "b"])
  })

  test("does not count for the same text at another path", async () => {
    await read()
    mark()
    const other = join(folder, "other.json")
    writeFileSync(other, readFileSync(file))
    settle(other)
    const settings = await readExecSettings({ file: other, cwd: folder, cacheDirectory })
    expect(settings).toMatchObject({ file: other, serverNames: ["a", "b"] })
  })

  test("is not given for a file that has just been written: it may change within the same tick", async () => {
    // Whatever the time is when it is read.
    const tick = new Date(Date.now() + 60_000)
    const write = (text: string) => {
      writeFileSync(file, text)
      utimesSync(file, tick, tick)
    }
    write('{"mcpServers": {"a": {"command": "x"}}}')
    expect((await read()).serverNames).toEqual(["a"])
    expect(() => receipts()).toThrow()
    write('{"mcpServers": {"b": {"command": "x"}}}')
    expect((await read()).serverNames).toEqual(["b"])
  })

  test("is never given to an invalid configuration, which is an error every time", async () => {
    writeFileSync(file, '{"sandbox": {"timeout": 500}}')
    settle(file)
    for (const _ of [1, 2]) {
      expect(await read().catch((error: unknown) => error)).toMatchObject({ code: "E_CONFIG_INVALID" })
    }
    writeFileSync(file, "{")
    expect(await read().catch((error: unknown) => error)).toMatchObject({ code: "E_CONFIG_SYNTAX" })
    expect(() => receipts()).toThrow()
  })

  for (const content of ["", "{", "null", "[]", "{}", '{"directory": 1}', '{"exec": {"env": [1]}}']) {
    test(`that is corrupt (${content}) is made anew`, async () => {
      const settings = await read()
      writeFileSync(receiptPath(), content)
      expect(await read()).toEqual(settings)
      expect(JSON.parse(readFileSync(receiptPath(), "utf8"))).toEqual(settings)
    })
  }

  test("holds nothing of the servers but their names and fingerprints", async () => {
    await read()
    const content = readFileSync(receiptPath(), "utf8")
    expect(content).not.toContain("hunter2")
    expect(Object.keys(JSON.parse(content)).sort()).toEqual([
      "directory",
      "exec",
      "file",
      "fingerprints",
      "observe",
      "sandbox",
      "sandboxEnabled",
      "serverNames",
      "warnings",
      "workspace",
    ])
  })

  test.skipIf(process.platform === "win32")("can be read by its owner only", async () => {
    await read()
    expect(statSync(receiptPath()).mode & 0o777).toBe(0o600)
    expect(statSync(join(cacheDirectory, "config")).mode & 0o777).toBe(0o700)
  })

  test("that cannot be written is no reason to fail", async () => {
    writeFileSync(cacheDirectory, "a file where a folder should be")
    expect((await read()).serverNames).toEqual(["a", "b"])
  })

  test("makes room: about a hundred are kept, the oldest go, and no draft stays", async () => {
    const store = join(cacheDirectory, "config")
    mkdirSync(store, { recursive: true })
    for (let index = 0; index < 110; index++) {
      const path = join(store, `${String(index).padStart(3, "0")}.json`)
      writeFileSync(path, "{}")
      utimesSync(path, 1000 + index, 1000 + index)
    }
    await read()
    const left = receipts().sort()
    expect(left).toHaveLength(100)
    expect(left[0]).toBe("011.json")
    expect(left.filter((name) => !name.endsWith(".json"))).toEqual([])
  })
})

test("the way to a script's first line loads neither zod, nor the parser, nor node:fs", async () => {
  const source = resolve(import.meta.dir, "../../src")
  expect([...(await staticImports(join(source, "config/load.ts")))]).toContain("zod")
  for (const entry of ["config/find.ts", "config/receipt.ts", "config/expand.ts", "platform/directories.ts"]) {
    const loaded = await staticImports(join(source, entry))
    expect([...loaded].filter((path) => !path.startsWith("/") && path !== "node:path")).toEqual([])
  }
})

async function staticImports(file: string, seen = new Set<string>()): Promise<Set<string>> {
  if (seen.has(file)) return seen
  seen.add(file)
  if (!file.endsWith(".ts")) return seen
  const imports = new Bun.Transpiler({ loader: "ts" }).scanImports(await Bun.file(file).text())
  for (const { kind, path } of imports) {
    if (kind === "import-statement")
      await staticImports(path.startsWith(".") ? resolve(dirname(file), path) : path, seen)
  }
  return seen
}
