// `exec` of a script of which nobody can tell in which process it runs: it runs in this one. To boot another one takes as
// long as all the rest.
import { within } from "../platform/paths.ts"
import { configuredFolder } from "./exec-ahead.ts"
import { isLone, speaksToRuntime } from "./lone-script.ts"
import { isPlainScript, namedScript } from "./plain-script.ts"

export interface ScriptHere {
  file: string
  args: readonly string[]
  /** Of code that is in no file. */
  text?: string
}

interface LookedAt {
  /** The script, if it may run in this process. */
  here?: ScriptHere | undefined
  /** What its file holds. */
  text?: string
}

/** Looks at the script that the words after `exec` name; as soon as there is any doubt, no further. */
export async function lookAtScript(words: readonly string[]): Promise<LookedAt> {
  try {
    const cwd = process.cwd()
    const script = codeIn(words, cwd) ?? fileIn(words, cwd)
    if (script === undefined || typeof Bun === "undefined" || process.platform === "win32") return {}
    const text = script.text ?? (await Bun.file(script.file).text())
    return { here: (await mayRunHere(text, cwd)) ? script : undefined, text }
  } catch {
    // Whatever it is, whoever starts scripts will meet it again and tell.
    return {}
  }
}

async function mayRunHere(text: string, cwd: string): Promise<boolean> {
  const { env } = process
  // Inside of another script, a failure would be told to that one's broker.
  if (env.MCP_EXEC_CONFIG || env.MCP_EXEC_BROKER || !isLone(text) || speaksToRuntime(env)) return false
  if (configuredFolder(cwd) === undefined) return true
  const { runsUnattended } = await import("../operations/start-script.ts")
  return await runsUnattended({ cwd, env })
}

function codeIn([option, text, ...rest]: readonly string[], cwd: string): ScriptHere | undefined {
  if ((option !== "-e" && option !== "--eval") || text === undefined) return undefined
  const args = rest[0] === "--" ? rest.slice(1) : rest
  // More options, which may change how it is started.
  if (args === rest && rest[0]?.startsWith("-")) return undefined
  return { file: within(cwd, "[eval].ts"), args, text }
}

function fileIn(words: readonly string[], cwd: string): ScriptHere | undefined {
  const script = namedScript(words, cwd)
  return script && isPlainScript(script.path) ? { file: script.path, args: script.args } : undefined
}
