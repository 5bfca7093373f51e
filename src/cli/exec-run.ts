// `exec` from its arguments to its exit code. Nothing is loaded here that a plain script can do without.
import { exitCodeFor, McpExecError } from "../errors.ts"
import { createContext, type Elicit, type LogLevel } from "../operations/context.ts"
import { execScript, type RunResult, type Script } from "../operations/exec.ts"
import { within } from "../platform/paths.ts"
import { type ExecArguments, emptyExecArguments, parseExecArguments } from "./exec-options.ts"
import type { Globals } from "./globals.ts"
import { type CliIo, processIo } from "./io.ts"
import type { Output } from "./output.ts"
import { workingDirectory } from "./working-directory.ts"

/** Runs what the words after `exec` say and returns the exit code; undefined when they ask for help or the version. */
export async function runExec(
  words: readonly string[],
  io: CliIo = processIo(),
  outer?: Globals,
): Promise<number | undefined> {
  const given = emptyExecArguments(outer)
  const { globals } = given
  const output = async () => (await import("./output.ts")).createOutput(io, globals)
  const log = (level: LogLevel, message: string) => void output().then((printer) => printer.log(level, message))
  try {
    parseExecArguments(words, given)
    if (given.leaveToCommander) return undefined
    const cwd = await workingDirectory(io, globals)
    const timeoutMs = given.timeout === undefined ? undefined : secondsToMs(given.timeout)
    const script = await findScript(given, cwd, io)
    const context = createContext({ cwd, env: io.env, configFlag: globals.config, log, elicit: elicitOnTerminal(io) })
    // Not `await using`: what the bundler makes of it takes longer than all of this function.
    try {
      const result = await execScript(context, {
        script,
        args: given.args,
        env: given.env,
        timeoutMs,
        servers: given.servers.length > 0 ? given.servers : undefined,
        sandbox: given.sandbox,
        capture: globals.json,
        // A second signal finds no listener and ends us; the guard then ends the script.
        onStart: (signal) => void io.onSignal(signal),
      })
      return await show(result, globals.json, output)
    } finally {
      await context[Symbol.asyncDispose]()
    }
  } catch (error) {
    const printer = await output()
    printer.error(error)
    return exitCodeFor(error)
  } finally {
    await io.flush()
  }
}

async function findScript({ script, eval: code, ...given }: ExecArguments, cwd: string, io: CliIo): Promise<Script> {
  if (code !== undefined) return { kind: "code", code, name: within(cwd, "[eval].ts") }
  if (script === undefined) {
    throw new McpExecError("E_USAGE", "exec needs a script", {
      hint: `Give it a file, - for stdin, or -e CODE${given.args.length > 0 ? "" : ": mcp-exec exec script.ts"}`,
    })
  }
  if (script === "-") return { kind: "code", code: await io.stdin(), name: within(cwd, "[stdin].ts") }
  const path = within(cwd, script)
  // Bun reads the size without loading anything: an ordinary script is recognised at no cost.
  if (typeof Bun !== "undefined" && path.endsWith(".ts") && Bun.file(path).size > 0) return { kind: "file", path }
  const { checkScript } = await import("./check-script.ts")
  await checkScript(path, script)
  return { kind: "file", path }
}

function secondsToMs(text: string): number {
  const seconds = Number(text)
  if (Number.isFinite(seconds) && seconds > 0 && seconds < 2 ** 31 / 1000) return seconds * 1000
  throw new McpExecError("E_USAGE", `--timeout takes a number of seconds, not "${text}"`, {
    hint: "For half a minute: --timeout 30",
  })
}

/** Questions of servers, put one after the other; what asks them is loaded with the first. */
function elicitOnTerminal(io: CliIo): Elicit {
  let ask: Promise<Elicit | undefined> | undefined
  return async (request) => {
    ask ??= import("./elicit.ts").then(({ createElicit }) => createElicit(io))
    return (await (await ask)?.(request)) ?? { action: "decline" }
  }
}

async function show(result: RunResult, json: boolean, output: () => Promise<Output>): Promise<number> {
  if (json) (await output()).printJson(asJson(result))
  else if (!result.ok && result.error.code === "E_SCRIPT_TIMEOUT") {
    const { message, hint } = result.error
    const printer = await output()
    printer.error(new McpExecError("E_SCRIPT_TIMEOUT", message, { hint }))
  }
  return result.exitCode
}

function asJson({ ok, exitCode, durationMs, stdout, stderr, toolCalls, ...rest }: RunResult) {
  const calls = toolCalls.map((call) => ({ ...call, durationMs: rounded(call.durationMs) }))
  return { ok, exitCode, durationMs: rounded(durationMs), stdout, stderr, toolCalls: calls, ...rest }
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 100) / 100
}
