import { describe, expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"

const root = join(import.meta.dir, "..")
const src = join(root, "src")

// What each part may import besides itself. Longest matching prefix counts; ARCHITECTURE.md has the same table.
const everyone = ["errors.ts", "catalog.ts", "lines.ts", "printable.ts", "suggest.ts", "version.ts", "platform/"]
const allowed: Record<string, string[]> = {
  "errors.ts": [],
  "catalog.ts": [],
  "lines.ts": [],
  "printable.ts": [],
  "suggest.ts": [],
  "version.ts": [],
  "platform/": [],
  "config/": [],
  "codegen/": [],
  "search/": [],
  "builtin/": ["config/schema.ts"],
  "mcp/": ["config/", "builtin/"],
  "broker/messages.ts": [],
  "broker/protocol.ts": [],
  "broker/endpoint.ts": [],
  "broker/": ["mcp/", "config/"],
  "guest/": ["broker/messages.ts"],
  "skills/": ["config/", "guest/skill-declaration.ts", "guest/skill-usage.ts"],
  "discovery/": ["mcp/", "codegen/", "config/"],
  "harness/": ["broker/protocol.ts", "broker/endpoint.ts", "guest/"],
  "operations/": [
    ...["config/", "codegen/", "search/", "skills/", "discovery/"],
    ...["builtin/", "mcp/", "broker/", "guest/", "harness/"],
  ],
  "server/": ["operations/"],
  "cli/": ["operations/", "server/"],
  "library/": ["operations/", "server/"],
  "index.ts": ["operations/", "library/", "guest/api.ts"],
  "main.ts": ["cli/", "guest/", "builtin/"],
}

// Where a process may end itself: the program, its command line, and the process that is the script.
const mayExit = ["main.ts", "cli/", "guest/run.ts", "guest/session.ts"]
const maxLines = 300

interface Import {
  target: string
  typeOnly: boolean
  lazy: boolean
}

const files = readdirSync(src, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .sort()
const texts = new Map(files.map((file) => [file, readFileSync(join(src, file), "utf8")]))
const imports = new Map(files.map((file) => [file, importsOf(file)]))

function importsOf(file: string): Import[] {
  const text = (texts.get(file) ?? "").replace(/^\s*\/\/.*$/gm, "")
  const found: Import[] = []
  const statement = /^(import|export)\s+(type\s+)?(?:[^"'`;]*?\sfrom\s+)?"(\.[^"]+)"/gm
  for (const [, , type, path] of text.matchAll(statement)) {
    found.push({ target: locate(file, path as string), typeOnly: type !== undefined, lazy: false })
  }
  for (const [, path] of text.matchAll(/import\("(\.[^"]+)"\)/g)) {
    found.push({ target: locate(file, path as string), typeOnly: false, lazy: true })
  }
  return found
}

function locate(file: string, path: string): string {
  return relative(src, join(src, dirname(file), path))
}

function partOf(file: string): string {
  const parts = Object.keys(allowed).filter((part) => file === part || (part.endsWith("/") && file.startsWith(part)))
  const longest = parts.sort((a, b) => b.length - a.length)[0]
  if (longest === undefined) throw new Error(`src/${file} belongs to no part of the import table`)
  return longest
}

function mayImport(file: string, target: string): boolean {
  if (target.startsWith("..")) return file === "version.ts"
  const part = partOf(file)
  const within = part.endsWith("/") ? part : part.includes("/") ? `${dirname(part)}/` : undefined
  if (within !== undefined && target.startsWith(within)) return true
  return [...everyone, ...(allowed[part] ?? [])].some((entry) => target === entry || target.startsWith(entry))
}

describe("the import table", () => {
  test("finds imports", () => {
    expect(imports.get("operations/exec.ts")?.map(({ target }) => target)).toContain("broker/serve-endpoint.ts")
  })

  test("is kept by every file", () => {
    const forbidden = files.flatMap((file) =>
      (imports.get(file) ?? [])
        .filter(({ target }) => !mayImport(file, target))
        .map(({ target }) => `${file} imports ${target}`),
    )
    expect(forbidden).toEqual([])
  })
})

test("no files import each other in a circle, types aside", () => {
  const circles: string[] = []
  const done = new Set<string>()
  const walk = (file: string, path: string[]) => {
    if (path.includes(file)) {
      circles.push([...path.slice(path.indexOf(file)), file].join(" → "))
      return
    }
    if (done.has(file)) return
    for (const { target, typeOnly } of imports.get(file) ?? []) if (!typeOnly) walk(target, [...path, file])
    done.add(file)
  }
  for (const file of files) walk(file, [])
  expect(circles).toEqual([])
})

test(`no file is longer than ${maxLines} lines`, () => {
  const tests = readdirSync(join(root, "tests"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join("tests", name))
  const long = [...files.map((file) => join("src", file)), ...tests]
    .map((file) => ({ file, lines: readFileSync(join(root, file), "utf8").split("\n").length - 1 }))
    .filter(({ lines }) => lines > maxLines)
  expect(long).toEqual([])
})

test("console and process.exit stay where a process may speak and end", () => {
  const places = files.filter((file) => !mayExit.some((place) => file === place || file.startsWith(place)))
  const offenders = places.filter((file) =>
    /\bconsole\.|\bprocess\.exit\(/.test(withoutComments(texts.get(file) ?? "")),
  )
  expect(offenders).toEqual([])
})

test("modules that only some commands need are never imported eagerly on the way to a script", () => {
  const heavy = ["zod", "commander", "@commander-js/extra-typings", "@modelcontextprotocol/", "jsonc-parser", "node:"]
  const reached = new Set<string>()
  const walk = (file: string) => {
    if (reached.has(file)) return
    reached.add(file)
    for (const { target, typeOnly, lazy } of imports.get(file) ?? []) if (!typeOnly && !lazy) walk(target)
  }
  walk("cli/exec-run.ts")
  walk("cli/call-run.ts")
  walk("guest/run.ts")
  const found = [...reached].flatMap((file) =>
    [...(texts.get(file) ?? "").matchAll(/^import\s+(?!type\b)[^"]*"([^".][^"]*)"/gm)]
      .map(([, name]) => name as string)
      .filter((name) => heavy.some((prefix) => name.startsWith(prefix)))
      .map((name) => `${file} imports ${name}`),
  )
  expect(found).toEqual([])
})

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "")
}
