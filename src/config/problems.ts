// What is wrong with a configuration, as data and as text. Values that may be credentials are never
// repeated: a problem names their kind instead.
import type { z } from "zod"
import { ConfigError } from "../errors.ts"
import { formatPath, type JsonPath } from "./json-path.ts"

export type Fields = Record<string, unknown>

export interface Problem {
  path: JsonPath
  found: string
  allowed: string
  /** What to say instead of "found …, allowed: …" where that would be clumsy. */
  message?: string
}

/** A problem as it stands in an error's details. */
export interface ProblemDetail {
  path: string
  found: string
  allowed: string
  message: string
  line: number
}

/** The error that lists every problem of a file, one per line. */
export function invalidConfig(
  file: string,
  problems: readonly Problem[],
  { lineOf, typos }: { lineOf(path: JsonPath): number; typos: readonly string[] },
): ConfigError {
  const details = problems.map((problem): ProblemDetail => {
    const { found, allowed, message = `found ${found}, allowed: ${allowed}` } = problem
    return { path: formatPath(problem.path), found, allowed, message, line: lineOf(problem.path) }
  })
  const lines = details.map(({ path, message, line }) => `  line ${line}: ${path === "" ? "" : `${path}: `}${message}`)
  return new ConfigError("E_CONFIG_INVALID", `${file} is not a valid configuration:\n${lines.join("\n")}`, {
    // A misspelt key is often the reason why a right one is missing.
    hint: typos.length > 0 ? `${typos.join("; ")}.` : "Correct the file; `mcp-exec doctor` checks it again.",
    details,
  })
}

/** Turns what zod found into problems. The schema's own messages say what is allowed. */
export function problemsOf(error: z.ZodError, value: unknown, base: JsonPath = []): Problem[] {
  return error.issues.map((issue) => {
    const path = [...base, ...(issue.path as (string | number)[])]
    const found = valueAt(value, issue.path as JsonPath)
    const allowed =
      issue.code === "invalid_value" ? issue.values.map((each) => JSON.stringify(each)).join(", ") : issue.message
    const needsQuotes = allowed === "a string" && (typeof found === "number" || typeof found === "boolean")
    return { path, found: describeValue(found, path), allowed: needsQuotes ? `${allowed} (put it in quotes)` : allowed }
  })
}

function valueAt(value: unknown, path: JsonPath): unknown {
  return path.reduce<unknown>(
    (inner, segment) => (inner as Record<string | number, unknown> | undefined)?.[segment],
    value,
  )
}

/** Says what a value is: itself where it cannot be a secret, otherwise its kind. */
export function describeValue(value: unknown, path: JsonPath): string {
  if (value === undefined) return "nothing"
  if (value === null) return "null"
  if (Array.isArray(value)) return "an array"
  if (typeof value === "object") return "an object"
  if (typeof value === "string" && value.trim() === "") return "an empty string"
  return mayShow(path) ? JSON.stringify(value).slice(0, 80) : `a ${typeof value}`
}

const plainServerFields = new Set(["type", "name", "timeout", "disabled", "normalize", "tools", "runtime"])

function mayShow([section, key, field]: JsonPath): boolean {
  if (section === "sandbox" || section === "workspace" || section === "discovery") return true
  if (section === "exec") return key === "timeout"
  return section === "mcpServers" && plainServerFields.has(field as string)
}

/** True for a JSON object: not null, not an array. */
export function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** True for a field that says something: programs that write every field put null where there is nothing. */
export function has(fields: Fields, field: string): boolean {
  return fields[field] !== undefined && fields[field] !== null
}
