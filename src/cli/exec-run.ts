// `exec` from its words to a running script. What a plain script can do without is not loaded here
// but in exec-attend.ts, while the script's own process is starting.
import { McpExecError } from "../errors.ts"
import {
  type ExecInput,
  type GuessedStart,
  ScriptAhead,
  type StartedScript,
  startScript,
} from "../operations/start-script.ts"
import { within } from "../platform/paths.ts"
import { type ExecArguments, emptyExecArguments, parseExecArguments } from "./exec-options.ts"
import type { Globals } from "./globals.ts"
import { type CliIo, processIo } from "./io.ts"
import { isPlainScript } from "./plain-script.ts"

export interface ExecSurroundings {
  io?: CliIo
  /** Of the program, from before the command. */
  globals?: Globals
  /** The script's process, when it has been started already. */
  ahead?: GuessedStart | undefined
  /** What the script's file holds, when it has been read already. */
  text?: string | undefined
}

/** Runs what the words after `exec` say and returns the exit code; undefined when they ask for help or the version. */
export async function runExec(
  words: readonly string[],
  { io = processIo(), globals: outer, ahead: guessed, text }: ExecSurroundings = {},
): Promise<number | undefined> {
  const ahead = guessed && new ScriptAhead(guessed)
  const parsed = emptyExecArguments(outer)
  const { globals } = parsed
  let run: StartedScript["run"] | undefined
  // Before there is a script: one that found no listener would end us and not the script. A second one does find none,
  // and then the guard ends the script.
  io.onSignal((signal) => (run === undefined ? process.kill(process.pid, signal) : run.signal(signal)))
  try {
    parseExecArguments(words, parsed)
    if (parsed.leaveToCommander) return undefined
    const cwd = globals.cwd === undefined ? io.cwd : await otherDirectory(io.cwd, globals.cwd)
    const input: ExecInput = {
      script: await findScript(parsed, cwd, io),
      text,
      args: parsed.args,
      env: parsed.env,
      timeoutMs: parsed.timeout === undefined ? undefined : secondsToMs(parsed.timeout),
      servers: parsed.servers.length > 0 ? parsed.servers : undefined,
      sandbox: parsed.sandbox,
      workspace: parsed.workspace,
      allowWeaker: parsed.allowWeaker,
      capture: globals.json,
      daemon: parsed.daemon,
    }
    if (parsed.check) await checkTypes(input.script, cwd, io, globals)
    const started = await startScript(
      { cwd, env: io.env, flag: globals.config, ahead },
      input,
      globals.quiet ? undefined : io,
    )
    run = started.run
    const { attendExec } = await import("./exec-attend.ts")
    return await attendExec({ io, input, started, cwd, globals })
  } catch (error) {
    const { failExec } = await import("./exec-attend.ts")
    return await failExec(error, io, globals)
  } finally {
    ahead?.end()
  }
}

async function findScript(parsed: ExecArguments, cwd: string, io: CliIo): Promise<ExecInput["script"]> {
  const { script, eval: code } = parsed
  if (code === undefined && script?.endsWith(".ts")) {
    const path = within(cwd, script)
    if (isPlainScript(path)) return { kind: "file", path }
  }
  const { findOddScript } = await import("./odd-script.ts")
  return await findOddScript(parsed, { cwd, env: io.env, flag: parsed.globals.config }, () => io.stdin())
}

async function checkTypes(script: ExecInput["script"], cwd: string, io: CliIo, globals: Globals): Promise<void> {
  const { checkBeforeRun } = await import("./exec-check.ts")
  await checkBeforeRun(script, cwd, io, globals)
}

async function otherDirectory(startedIn: string, wanted: string): Promise<string> {
  const { workingDirectory } = await import("./working-directory.ts")
  return await workingDirectory(startedIn, wanted)
}

function secondsToMs(text: string): number {
  const seconds = Number(text)
  if (Number.isFinite(seconds) && seconds > 0 && seconds < 2 ** 31 / 1000) return seconds * 1000
  throw new McpExecError("E_USAGE", `--timeout takes a number of seconds above 0, not "${text}"`, {
    hint: "For half a minute: --timeout 30",
  })
}
