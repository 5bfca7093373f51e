// What is wrong with a script, told before it runs, in the terms of tools. When nobody has asked for it, only
// what is certain stops a run: a tool that does not exist, an argument that it does not take, needs, or takes as
// something else. Types may know less than the code does, and a model's code is seldom strict.
import { McpExecError } from "../errors.ts"
import type { OperationContext } from "../operations/context.ts"
import type { Script } from "../operations/exec.ts"
import type { ScriptProblem } from "../operations/skills/check-script.ts"

export interface CheckWish {
  /** All of it when true, nothing when false; when absent, what is certain. */
  check?: boolean | undefined
  signal: AbortSignal
}

// A run should not wait for a check that nobody has asked for.
const patienceMs = 3000

const usesServers = /["'][^"'\n]*servers\//

/** Throws E_SCRIPT_TYPES when something is wrong; gives what is to be said when it could not be looked at. */
export async function checkCode(context: OperationContext, script: Script, wish: CheckWish): Promise<string[]> {
  if (wish.check === true) {
    const { problems, notes } = await look(context, script)
    refuse(problems)
    return notes
  }
  // Without wrappers there is nothing that could be certain.
  if (wish.check === false || script.kind !== "code" || !usesServers.test(script.code)) return []
  const late = AbortSignal.any([wish.signal, AbortSignal.timeout(patienceMs)])
  const gaveUp = new Promise<undefined>((resolve) => late.addEventListener("abort", () => resolve(undefined)))
  const found = await Promise.race([look(context, script).catch(() => undefined), gaveUp])
  const lines = script.code.split("\n")
  refuse(found?.problems.filter((problem) => isCertain(problem, lines)) ?? [])
  return []
}

async function look(context: OperationContext, script: Script) {
  const { checkScript } = await import("../operations/skills/check-script.ts")
  return await checkScript(context, script)
}

// No such module, no such export: of a generated server they say the same as its manifest.
const missing = new Set(["TS2305", "TS2307", "TS2724"])

function isCertain({ tool, argument, found, code, line = 1 }: ScriptProblem, lines: readonly string[]): boolean {
  if (tool === undefined) return code !== undefined && missing.has(code) && usesServers.test(lines[line - 1] ?? "")
  // Not the compiler's word: there is no such tool.
  if (code === undefined) return true
  return found === undefined ? argument !== undefined : !/\b(unknown|any|undefined|null|object)\b|\{\}/.test(found)
}

function refuse(problems: readonly ScriptProblem[]): void {
  if (problems.length === 0) return
  const lines = problems.map(({ message, line }) => (line === undefined ? message : `line ${line}: ${message}`))
  throw new McpExecError("E_SCRIPT_TYPES", lines.join("\n"), {
    hint: 'search_tools with detail "full" gives the types. Nothing was run; check: false runs it all the same.',
  })
}
