// Helpers of the generator's tests: what a schema becomes, and whether TypeScript accepts it.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import type { JsonSchema, Tool } from "../../src/catalog.ts"
import { typeName } from "../../src/codegen/names.ts"
import { normalize } from "../../src/codegen/normalize.ts"
import { printDefinition } from "../../src/codegen/print-types.ts"

export interface SchemaCase {
  name: string
  given: unknown
  /** The text after `export type Value = `; definitions follow as they are printed. */
  want: string
}

/** The stub that stands in for the guest runtime. */
export const runtime = `export interface CallOptions {
  timeoutMs?: number
}

export async function callTool<Result = unknown>(
  _server: string,
  _tool: string,
  _args?: Record<string, unknown>,
  _options?: CallOptions,
): Promise<Result> {
  throw new Error("not here")
}

export type ListOptions = { signal?: object }
export type ResourceResult = { contents: { uri: string; text?: string }[] }
export type PromptResult = { messages: { role: "user" | "assistant"; content: unknown }[] }

export async function readResource(_server: string, _uri: string, _options?: ListOptions): Promise<ResourceResult> {
  throw new Error("not here")
}

export async function getPrompt(
  _server: string,
  _name: string,
  _args?: Record<string, string | undefined>,
  _options?: ListOptions,
): Promise<PromptResult> {
  throw new Error("not here")
}
`

/** The types of a schema, as text. */
export function typesOf(given: unknown): string {
  const taken = new Set(["Value"])
  const claimName = (wanted: string) => {
    const name = typeName(wanted, (each) => taken.has(each))
    taken.add(name)
    return name
  }
  const { type, definitions } = normalize(given, { name: "Value", claimName })
  const texts = [{ name: "Value", type, docs: { facts: [] } }, ...definitions].map(printDefinition)
  return texts
    .join("")
    .replace(/^export type Value =\s*/, "")
    .trimEnd()
}

/** A tool that uses a schema in every position. */
export function toolOf(name: string, schema: unknown): Tool {
  const whole = typeof schema === "object" && schema !== null && !Array.isArray(schema) ? (schema as JsonSchema) : {}
  return { name, description: name, inputSchema: whole, outputSchema: whole }
}

/** Runs tsc, as strict as it gets, over files in a folder of their own. Resolves to what it complains about. */
export async function typeCheck(files: ReadonlyMap<string, string>): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), "mcp-exec-codegen-"))
  try {
    for (const [path, text] of files) {
      mkdirSync(dirname(join(directory, path)), { recursive: true })
      writeFileSync(join(directory, path), text)
    }
    writeFileSync(join(directory, "tsconfig.json"), JSON.stringify({ compilerOptions: strict }))
    const tsc = join(import.meta.dir, "../../node_modules/.bin/tsc")
    const child = Bun.spawn([tsc, "-p", directory], { stdout: "pipe", stderr: "pipe" })
    const output = (await new Response(child.stdout).text()) + (await new Response(child.stderr).text())
    return (await child.exited) === 0 ? output : output || "tsc failed"
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

const strict = {
  target: "ESNext",
  module: "Preserve",
  moduleResolution: "bundler",
  lib: ["ESNext"],
  types: [],
  noEmit: true,
  allowImportingTsExtensions: true,
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
  noUnusedLocals: true,
  noImplicitReturns: true,
  isolatedDeclarations: true,
  declaration: true,
}

/** The same value, in which nothing can be changed any more. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const part of Object.values(value)) deepFreeze(part)
  }
  return value
}
