// The words after `call server.tool` → arguments: `key=value`, `key:=json`, `key=@file`, `key=@-`, `key=@@text`.
import { McpExecError } from "../errors.ts"
import type { ArgumentPair } from "../operations/arguments/build.ts"

export interface ArgumentSources {
  /** Where relative file names start. */
  cwd: string
  stdin: () => Promise<string>
}

/** Reads the arguments given as pairs. */
export async function readPairs(words: readonly string[], sources: ArgumentSources): Promise<ArgumentPair[]> {
  return await Promise.all(words.map((word) => readPair(word, sources)))
}

/** Reads the value of --args: JSON, `@file` or `-`. */
export async function readObject(text: string, sources: ArgumentSources): Promise<Record<string, unknown>> {
  const source = text === "-" ? "Standard input" : text.startsWith("@") ? text.slice(1) : "--args"
  const json = text === "-" ? await sources.stdin() : await readReference("--args", text, sources)
  const value = parseJson(json, source)
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  const found = value === null ? "null" : Array.isArray(value) ? "an array" : `a ${typeof value}`
  throw usage(`${source} must be a JSON object, found ${found}`, `For example: --args '{"path": "README.md"}'`)
}

/** Standard input can be read once: a second reader would get nothing. */
export function readOnce(stdin: () => Promise<string>): () => Promise<string> {
  let wasRead = false
  return async () => {
    if (wasRead) throw usage("Standard input was asked for twice", "Use `-` or `@-` for one argument only.")
    wasRead = true
    return await stdin()
  }
}

async function readPair(word: string, sources: ArgumentSources): Promise<ArgumentPair> {
  const equals = word.indexOf("=")
  if (equals < 1 || word.startsWith(":=")) {
    const isJson = word.trimStart().startsWith("{")
    throw usage(
      `Arguments are written key=value, found ${JSON.stringify(word)}`,
      isJson ? `Pass a whole object with --args '${word}'` : "For example: path=README.md, or --args '{\"path\": …}'.",
    )
  }
  const value = word.slice(equals + 1)
  if (word[equals - 1] === ":") {
    const key = word.slice(0, equals - 1)
    return { key, json: parseJson(await readReference(key, value, sources), key) }
  }
  const key = word.slice(0, equals)
  return { key, text: await readReference(key, value, sources) }
}

/** `@file` and `@-` stand for what they contain; `@@` for a plain `@`. */
async function readReference(key: string, value: string, sources: ArgumentSources): Promise<string> {
  if (!value.startsWith("@")) return value
  if (value.startsWith("@@")) return value.slice(1)
  if (value === "@-") return await sources.stdin()
  const { resolve } = await import("node:path")
  const file = resolve(sources.cwd, value.slice(1))
  try {
    const { readFile } = await import("node:fs/promises")
    return await readFile(file, "utf8")
  } catch (cause) {
    throw new McpExecError("E_USAGE", `${key} names a file that cannot be read: ${file}`, {
      hint: "For a value that begins with @, write @@.",
      cause,
    })
  }
}

function parseJson(text: string, source: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause)
    throw new McpExecError("E_USAGE", `${source} is not valid JSON: ${problem}`, {
      hint: "Names and texts in JSON are in double quotes; in a shell, put the whole in single quotes.",
      cause,
    })
  }
}

function usage(message: string, hint: string): McpExecError {
  return new McpExecError("E_USAGE", message, { hint })
}
