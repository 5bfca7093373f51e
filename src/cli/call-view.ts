// From the words of `call` to a request, and from the value to what is printed; the same with and without a daemon.
import type { ArgumentPair } from "../operations/arguments/build.ts"
import type { CliIo } from "./io.ts"

export interface CallWords {
  target: string
  words: readonly string[]
  /** The value of --args. */
  args: string | undefined
}

export interface CallRequest {
  target: string
  /** Absent when `target` names it too. */
  tool: string | undefined
  args: Record<string, unknown> | undefined
  pairs: ArgumentPair[]
}

/** Reads the words of a call; files and standard input are read where they say so. */
export async function readCall(
  { target, words, args }: CallWords,
  serverNames: readonly string[],
  { cwd, io }: { cwd: string; io: CliIo },
): Promise<CallRequest> {
  // `call server tool …` reads as well as `call server.tool …`. After `call server.tool`, a word that is
  // no pair lacks its key.
  const [first] = words
  const isServer = serverNames.includes(target) || !/[./]|__/.test(target)
  const tool = isServer && first !== undefined && /^[^={]+$/.test(first) ? first : undefined
  const rest = tool === undefined ? words : words.slice(1)
  if (args === undefined && rest.length === 0) return { target, tool, args: undefined, pairs: [] }
  const { readObject, readOnce, readPairs } = await import("./call-arguments.ts")
  const sources = { cwd, stdin: readOnce(() => io.stdin()) }
  const object = args === undefined ? undefined : await readObject(args, sources)
  return { target, tool, args: object, pairs: await readPairs(rest, sources) }
}

/** What is printed for a value: text as text, data as JSON. */
export function printedValue(value: unknown, asJson: boolean): string {
  if (asJson) return jsonText(value)
  if (value === null || value === undefined || value === "") return ""
  if (typeof value === "string") return value.endsWith("\n") ? value : `${value}\n`
  return jsonText(value)
}

/** True for a raw MCP result that says it is an error. */
export function isErrorResult(value: unknown): boolean {
  return typeof value === "object" && value !== null && "isError" in value && value.isError === true
}

function jsonText(value: unknown): string {
  return `${JSON.stringify(value ?? null, null, 2)}\n`
}
