// One run for a program: code, a file or a skill in, a result out. Nothing of the program's own streams
// is touched. A script that fails, times out or is stopped is a result; throws only when none was started.
import { z } from "zod"
import type { RunResult } from "../../harness/harness.ts"
import type { OperationContext } from "../context.ts"
import type { ExecInput } from "../start-script.ts"
import { findScript, wordsOf } from "./find-script.ts"
import { runFound } from "./run-found.ts"

export const runScriptInput = z.object({
  code: z.string().optional(),
  file: z.string().optional(),
  skill: z.string().optional(),
  args: z.union([z.array(z.string()), z.record(z.string(), z.unknown())]).default([]),
  env: z.record(z.string(), z.string()).default({}),
  servers: z.array(z.string()).optional(),
  sandbox: z.boolean().optional(),
  workspace: z.enum(["rw", "ro", "none"]).optional(),
  allowWeaker: z.boolean().optional(),
  timeoutMs: z.number().positive().optional(),
})

/** What is run. */
export type ScriptTarget =
  | { /** TypeScript or JavaScript. */ code: string; file?: never; skill?: never }
  | { /** A path, seen from `cwd`. */ file: string; code?: never; skill?: never }
  | { /** The name of a skill of the project. */ skill: string; code?: never; file?: never }

export interface RunScriptOptions {
  /** The script's words; of an object, `--name=value` for each of its members, as skills take them. */
  args?: readonly string[] | Readonly<Record<string, unknown>> | undefined
  /** Variables that the script sees besides those that the configuration lets through. */
  env?: Readonly<Record<string, string>> | undefined
  /** The only servers the script may use; all when absent. */
  servers?: readonly string[] | undefined
  /** Overrides the configuration's `sandbox.enabled`. */
  sandbox?: boolean | undefined
  /** What a sandboxed script sees of the workspace: read-only when absent. */
  workspace?: "rw" | "ro" | "none" | undefined
  /** Run in the sandbox although not every lock holds on this machine. */
  allowWeaker?: boolean | undefined
  timeoutMs?: number | undefined
  /** Sees what the script prints as it comes. */
  onOutput?: ((output: ScriptOutput) => void) | undefined
}

export interface ScriptOutput {
  stream: "stdout" | "stderr"
  text: string
}

/** Runs a script to its end, or until the context's signal says otherwise. */
export async function runScript(
  context: OperationContext,
  { onOutput, ...given }: ScriptTarget & RunScriptOptions,
  clock?: ExecInput["clock"],
): Promise<RunResult> {
  const { code, file, skill, args, env, ...input } = runScriptInput.parse(given)
  const script = await findScript(context, { code, file, skill })
  const exec: ExecInput = {
    ...input,
    clock,
    script,
    args: wordsOf(args),
    env: Object.entries(env).map(([name, value]) => `${name}=${value}`),
    onOutput: onOutput && asTexts(onOutput, context),
  }
  const notices = { stderr: (text: string) => context.log("info", text.trimEnd()) }
  return await runFound(context, exec, { signal: context.signal, notices })
}

/** A character may be cut in two by the end of a chunk, so each stream has its own decoder. */
function asTexts(onOutput: (output: ScriptOutput) => void, context: OperationContext): ExecInput["onOutput"] {
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() }
  return (stream, chunk) => {
    const text = decoders[stream].decode(chunk, { stream: true })
    if (text === "") return
    try {
      onOutput({ stream, text })
    } catch (error) {
      // Thrown on, it would end the whole program: nobody stands between a stream and its listener.
      context.log("error", `onOutput failed: ${error instanceof Error ? error.message : error}`)
    }
  }
}
