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

/** The script that the words after `exec` name, if it may run in this process; undefined when there is any doubt. */
export async function scriptHere(words: readonly string[]): Promise<ScriptHere | undefined> {
  try {
    return await findScript(words)
  } catch {
    // Whatever it is, whoever starts scripts will meet it again and tell.
    return undefined
  }
}

async function findScript(words: readonly string[]): Promise<ScriptHere | undefined> {
  const { env } = process
  if (typeof Bun === "undefined" || process.platform === "win32") return undefined
  // Inside of another script, a failure would be told to that one's broker.
  if (env.MCP_EXEC_CONFIG || env.MCP_EXEC_BROKER) return undefined
  const cwd = process.cwd()
  const script = codeIn(words, cwd) ?? fileIn(words, cwd)
  if (script === undefined) return undefined
  if (!isLone(script.text ?? (await Bun.file(script.file).text())) || speaksToRuntime(env)) return undefined
  if (configuredFolder(cwd) !== undefined) {
    const { runsUnattended } = await import("../operations/start-script.ts")
    if (!(await runsUnattended({ cwd, env }))) return undefined
  }
  return script
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
