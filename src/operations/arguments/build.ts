// `key=value` pairs and a JSON object → the arguments of one call, or an error that shows what the tool takes.
import type { Tool } from "../../catalog.ts"
import { ToolError } from "../../errors.ts"
import { suggest } from "../../suggest.ts"
import { coerce, takesSeveral } from "./coerce.ts"
import { type Parameters, parametersOf, typeLabel } from "./schema.ts"

/** One argument: a text to be read as the schema says, or a value that is already one. */
export type ArgumentPair = { key: string; text: string } | { key: string; json: unknown }

/** The arguments of a call. Pairs win over `base`. */
export function buildArguments(
  server: string,
  tool: Tool,
  pairs: readonly ArgumentPair[],
  base: Record<string, unknown> = {},
): Record<string, unknown> {
  const parameters = parametersOf(tool.inputSchema)
  const values = new Map(Object.entries(base))
  for (const [key, given] of Map.groupBy(pairs, (pair) => pair.key)) {
    values.set(key, argumentValue(server, tool, parameters, key, given))
  }
  const missing = parameters.list.filter(({ name, required }) => required && !values.has(name))
  if (missing.length > 0) throw missingError(server, tool, parameters, [...values.keys()])
  // Not an object literal: a key may be `__proto__`.
  return Object.fromEntries(values)
}

/** The command that calls a tool, with a placeholder for each argument. */
export function usageLine(server: string, tool: Tool): string {
  const { list } = parametersOf(tool.inputSchema)
  const words = list
    .toSorted((a, b) => Number(b.required) - Number(a.required))
    .map(({ name, schema, required }) => {
      const word = `${name}=<${typeLabel(schema, tool.inputSchema).replaceAll(" | ", "|")}>`
      return required ? word : `[${word}]`
    })
  return ["mcp-exec call", `${server}.${tool.name}`, ...words].join(" ")
}

function argumentValue(
  server: string,
  tool: Tool,
  parameters: Parameters,
  key: string,
  given: ArgumentPair[],
): unknown {
  const schema = parameters.schemaOf(key)
  if (schema === undefined) throw unknownError(server, tool, parameters, key)
  const [first, second] = given
  if (first !== undefined && "json" in first && second === undefined) return first.json
  if (second !== undefined && !takesSeveral(schema, tool.inputSchema)) {
    throw argumentError(server, tool, `${key} was given ${given.length} times and takes one value`)
  }
  const texts = given.flatMap((pair) => ("text" in pair ? [pair.text] : []))
  if (texts.length < given.length) {
    return given.map((pair) => ("json" in pair ? pair.json : coerce([pair.text], true, {})?.value))
  }
  const coerced = coerce(texts, schema, tool.inputSchema)
  if (coerced !== undefined) return coerced.value
  const expected = typeLabel(schema, tool.inputSchema)
  const found = texts.map((text) => JSON.stringify(shorten(text))).join(", ")
  throw argumentError(server, tool, `${key} must be ${withArticle(expected)}, found ${found}`, {
    key,
    expected,
    found: texts,
  })
}

function unknownError(server: string, tool: Tool, parameters: Parameters, key: string): ToolError {
  const names = parameters.list.map(({ name }) => name)
  const near = suggest(key, names)
  const takes = names.length === 0 ? "it takes no arguments" : `it takes ${names.join(", ")}`
  return argumentError(
    server,
    tool,
    `there is no argument ${key}; ${takes}`,
    { key, arguments: names },
    near === undefined ? undefined : `Did you mean ${near}?`,
  )
}

function missingError(server: string, tool: Tool, parameters: Parameters, given: string[]): ToolError {
  const required = parameters.list.filter((parameter) => parameter.required).map(({ name }) => name)
  const missing = required.filter((name) => !given.includes(name))
  const names = parameters.list.map(({ name }) => name)
  const stray = given.find((key) => !names.includes(key) && suggest(key, missing) !== undefined)
  return argumentError(
    server,
    tool,
    `missing ${missing.length === 1 ? "argument" : "arguments"} ${missing.join(", ")}`,
    { missing },
    stray === undefined ? undefined : `Did you mean ${suggest(stray, missing)} instead of ${stray}?`,
  )
}

function argumentError(server: string, tool: Tool, problem: string, details?: unknown, hint?: string): ToolError {
  const usage = `Usage: ${usageLine(server, tool)}`
  return new ToolError("E_TOOL_ARGUMENTS", server, tool.name, `${server}.${tool.name}: ${problem}`, {
    hint: hint === undefined ? usage : `${hint} ${usage}`,
    details,
  })
}

function withArticle(label: string): string {
  if (!/^(string|number|integer|boolean|object|array)$/.test(label)) return label
  return `${/^[aio]/.test(label) ? "an" : "a"} ${label}`
}

function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}
