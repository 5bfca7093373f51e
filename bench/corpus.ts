// npm run bench:corpus -- DIR: generates from captured tools/list answers ({ meta, tools } in *.json) and
// checks all of it: one strict tsc program, no any, samples that fit, and cost that grows with the tools.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { encode } from "gpt-tokenizer/encoding/o200k_base"
import type { Catalog, Server, Tool } from "../src/catalog.ts"
import { generateFiles } from "../src/codegen/generate.ts"
import { outlineOf } from "../src/codegen/outline.ts"
import type { Manifest } from "../src/codegen/print-server.ts"
import { updateServers } from "../src/codegen/update.ts"
import { noSample, sampleOf } from "./corpus/sample.ts"
import { median } from "./measure.ts"

const directory = process.argv[2]
if (directory === undefined) {
  console.error("Which directory? npm run bench:corpus -- DIR")
  process.exit(2)
}

const runtime = `export interface CallOptions { timeoutMs?: number }
export declare function callTool<Result = unknown>(
  server: string, tool: string, args?: Record<string, unknown>, options?: CallOptions): Promise<Result>
`
const maxTotalMs = 2_000
let failed = false

const catalog = readCatalog(directory)
const toolCount = countTools(catalog)
const files = generateFiles(catalog, { runtime })
reportSize()
reportGrowth()
await reportWriting()
reportUnknown()
await reportTypes()
process.exit(failed ? 1 : 0)

function readCatalog(from: string): Catalog {
  const names = readdirSync(from).filter((name) => name.endsWith(".json"))
  const servers = names.sort().map((name): Server => {
    const { tools } = JSON.parse(readFileSync(join(from, name), "utf8")) as { tools: Tool[] }
    return {
      name: basename(name, ".json"),
      tools: tools.map((tool) => ({ ...tool, description: tool.description ?? "" })),
    }
  })
  return { servers }
}

function reportSize(): void {
  const { servers } = JSON.parse(files.get("index.json") as string) as Manifest
  const entries = Object.values(servers).flatMap(({ tools }) => Object.values(tools))
  const wrappers = entries.map(({ file }) => files.get(file) ?? "")
  const bytes = [...files.values()].reduce((total, text) => total + Buffer.byteLength(text), 0)
  report("servers, tools", `${catalog.servers.length}, ${toolCount}`)
  report("files, bytes", `${files.size}, ${bytes}`)
  reportTokens("wrappers", wrappers)
  reportTokens("outlines, which cat prints", wrappers.map(outlineOf))
}

function reportTokens(name: string, texts: string[]): void {
  const tokens = texts.map((text) => encode(text).length).sort((a, b) => a - b)
  const total = tokens.reduce((sum, each) => sum + each, 0)
  const most = tokens[Math.floor(tokens.length * 0.95)]
  report(`tokens (o200k) of ${name}`, `${total}, median ${median(tokens)}, 95 of 100 at most ${most}`)
}

/** Twice the tools may take twice as long, and some. */
function reportGrowth(): void {
  const sizes = [500, 1_000, toolCount].filter((size, at, all) => size <= toolCount && all.indexOf(size) === at)
  const perTool = sizes.map((size) => {
    const part = firstTools(catalog, size)
    // The best of five: what else runs on the machine only ever adds.
    const ms = Math.min(...[1, 2, 3, 4, 5].map(() => timed(() => generateFiles(part, { runtime }))))
    const bytesPerTool = [...generateFiles(part, { runtime }).values()].join("").length / size
    report(`generate ${size} tools`, `${ms.toFixed(0)} ms, ${((ms / size) * 1_000).toFixed(0)} µs per tool`)
    return { ms, perByte: ms / (bytesPerTool * size) }
  })
  const [first, last] = [perTool[0], perTool.at(-1)]
  if (first === undefined || last === undefined) return
  const growth = last.perByte / first.perByte
  report("time per byte against the smallest", `${growth.toFixed(2)} ×`, growth < 2)
  report("all tools from memory", `${last.ms.toFixed(0)} ms (≤ ${maxTotalMs})`, last.ms <= maxTotalMs)
}

/** Generating into an empty folder, and once more when nothing has changed. */
async function reportWriting(): Promise<void> {
  const place = mkdtempSync(join(tmpdir(), "mcp-exec-corpus-"))
  const first: number[] = []
  const second: number[] = []
  let rewritten = 0
  for (const round of [1, 2, 3]) {
    const folder = join(place, `servers-${round}`)
    for (const times of [first, second]) {
      const startedAt = performance.now()
      const { write } = await updateServers(folder, catalog, { runtime })
      times.push(performance.now() - startedAt)
      if (times === second) rewritten += write.length
    }
  }
  rmSync(place, { recursive: true, force: true })
  const ratio = median(second) / median(first)
  report("generate and write, again unchanged", `${median(first).toFixed(0)} ms, ${median(second).toFixed(0)} ms`)
  report(
    "the second against the first (≤ 0.5), files rewritten",
    `${ratio.toFixed(2)}, ${rewritten}`,
    ratio <= 0.5 && rewritten === 0,
  )
}

function reportUnknown(): void {
  const code = [...files].filter(([path]) => path.endsWith(".ts") && path !== "_runtime.ts").map(([, text]) => text)
  const plain = code.map((text) => text.replace(/"(?:[^"\\\n]|\\.)*"/g, '""'))
  const unfollowed = plain.join("").match(/\bunknown \/\*/g)?.length ?? 0
  const types = plain.map((text) => text.replace(/\/\*[\s\S]*?\*\//g, "")).join("")
  const anys = types.match(/\bany\b/g)?.length ?? 0
  const results = types.match(/^export type \w+Result = unknown$/gm)?.length ?? 0
  const unknowns = (types.match(/\bunknown\b/g)?.length ?? 0) - results
  const silent = catalog.servers.flatMap(({ tools }) => tools).reduce((total, tool) => total + silentIn(tool), 0)
  report("any", String(anys), anys === 0)
  report("results without an output schema", String(results))
  report("unknown elsewhere, schemas that say nothing", `${unknowns}, ${silent}`, unknowns - unfollowed <= silent)
  report("of these: references that lead nowhere, contradictions", String(unfollowed))
}

/** Parts of a tool's schemas that give no type: an independent count. */
function silentIn(tool: Tool): number {
  let count = 0
  const walk = (schema: unknown) => {
    if (schema === true) count++
    if (typeof schema !== "object" || schema === null) return
    const part = schema as Record<string, unknown>
    const keys = ["type", "enum", "const", "anyOf", "oneOf", "allOf", "$ref", "properties", "items", "prefixItems"]
    const type = Array.isArray(part.type) ? part.type : [part.type]
    if (!keys.some((key) => key in part)) count++
    if (type.includes("array") && part.items === undefined && part.prefixItems === undefined) count++
    if (type.includes("object") && Object.keys(part.properties ?? {}).length === 0 && !part.additionalProperties)
      count++
    const list = [part.anyOf, part.oneOf, part.allOf, part.prefixItems, part.items].flat()
    const maps = [part.properties, part.$defs, part.definitions, part.patternProperties]
    for (const child of [...list, part.additionalProperties]) if (child !== undefined) walk(child)
    for (const map of maps) for (const child of Object.values(map ?? {})) walk(child)
  }
  walk(tool.inputSchema)
  walk(tool.outputSchema)
  return count
}

/** One program of everything that was generated, and of a sample for each of its types. */
async function reportTypes(): Promise<void> {
  const manifest = JSON.parse(files.get("index.json") as string) as Manifest
  const checks = new Map<string, string>()
  let samples = 0
  for (const server of catalog.servers) {
    const lines: string[] = []
    for (const tool of server.tools) {
      const entry = manifest.servers[server.name]?.tools[tool.name]
      if (entry === undefined) throw new Error(`${server.name}.${tool.name} is not in the manifest`)
      const text = files.get(entry.file) ?? ""
      for (const [kind, schema] of [
        ["Params", tool.inputSchema],
        ["Result", tool.outputSchema],
      ] as const) {
        const type = new RegExp(`^export type (\\w+${kind}) =`, "m").exec(text)?.[1]
        if (type === undefined || schema === undefined) continue
        for (const full of [false, true]) {
          const value = sampleOf(schema, schema, { full })
          if (value === noSample) continue
          samples++
          lines.push(`export const v${samples}: import("./${entry.file}").${type} = ${JSON.stringify(value)}`)
        }
      }
    }
    checks.set(`check-${checks.size}.ts`, `${lines.join("\n")}\n`)
  }
  const startedAt = performance.now()
  const complaints = await typeCheck(new Map([...files, ...checks]))
  const elapsed = ((performance.now() - startedAt) / 1_000).toFixed(1)
  const errors = complaints.filter((line) => line.includes("error TS"))
  const own = errors.filter((line) => !line.startsWith("check-"))
  report(`errors of a strict tsc over it all (${elapsed} s)`, String(own.length), own.length === 0)
  const misfits = errors.length - own.length
  report("samples that fit their type", `${samples - misfits} of ${samples}`, misfits === 0)
  for (const line of errors.slice(0, 20)) console.log(`  ${line.slice(0, 400)}`)
}

async function typeCheck(all: ReadonlyMap<string, string>): Promise<string[]> {
  const place = mkdtempSync(join(tmpdir(), "mcp-exec-corpus-"))
  try {
    for (const [path, text] of all) {
      mkdirSync(dirname(join(place, path)), { recursive: true })
      writeFileSync(join(place, path), text)
    }
    const compilerOptions = {
      ...{
        target: "ESNext",
        module: "Preserve",
        moduleResolution: "bundler",
        lib: ["ESNext"],
        types: [],
        noEmit: true,
      },
      ...{ allowImportingTsExtensions: true, strict: true, noUncheckedIndexedAccess: true },
      ...{
        exactOptionalPropertyTypes: true,
        verbatimModuleSyntax: true,
        erasableSyntaxOnly: true,
        noUnusedLocals: true,
      },
    }
    writeFileSync(join(place, "tsconfig.json"), JSON.stringify({ compilerOptions }))
    const tsc = join(import.meta.dir, "../node_modules/.bin/tsc")
    const child = Bun.spawn([tsc, "-p", place, "--pretty", "false"], { stdout: "pipe", cwd: place })
    const output = await new Response(child.stdout).text()
    const lines = output.split("\n").filter((line) => line !== "")
    return (await child.exited) !== 0 && lines.length === 0 ? ["tsc: error TS0: it failed without a word"] : lines
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

function firstTools({ servers }: Catalog, count: number): Catalog {
  let left = count
  const kept: Server[] = []
  for (const server of servers) {
    if (left <= 0) break
    kept.push({ ...server, tools: server.tools.slice(0, left) })
    left -= server.tools.length
  }
  return { servers: kept }
}

function countTools({ servers }: Catalog): number {
  return servers.reduce((total, { tools }) => total + tools.length, 0)
}

function timed(run: () => unknown): number {
  const startedAt = performance.now()
  run()
  return performance.now() - startedAt
}

function report(name: string, value: string, met?: boolean): void {
  if (met === false) failed = true
  console.log(`${met === undefined ? "    " : met ? "ok  " : "FAIL"} ${name}: ${value}`)
}
