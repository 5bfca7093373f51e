// A script's process that is there before its script: `mcp-exec __run-ahead`. It is started while its container
// waits, has loaded what it takes to run one, and is told of it over a pipe. Until then it knows nothing but the
// variables that every script gets; from then on it is like any other script's process.
import { closeSync, readFileSync } from "node:fs"
import { runScriptProcess } from "./run.ts"

export interface ScriptOrder {
  /** For `runScriptProcess`. */
  words: readonly string[]
  cwd: string
  /** Variables that could not be known ahead. */
  env: Record<string, string>
}

// The first after the standard streams.
const orderFile = 3

/** Runs the script that is named in the pipe that this process was started with. */
export async function runAhead(): Promise<void> {
  // Waits, with nothing else under way in this process.
  const text = readFileSync(orderFile, "utf8")
  closeSync(orderFile)
  const { words, cwd, env }: ScriptOrder = JSON.parse(text)
  Object.assign(process.env, env)
  process.chdir(cwd)
  await runScriptProcess(words)
}
