// The script's process in a container: started for the script, or before there is one.
import { closeSync, mkdirSync, writeFileSync, writeSync } from "node:fs"
import { dirname } from "node:path"
import type { ScriptOrder } from "./box-ahead.ts"
import { InputPipe, makePipe } from "./box-input.ts"
import type { BoxRun } from "./box-messages.ts"

export type ScriptProcess = Bun.Subprocess<number | "ignore", "pipe", "pipe">

const codeFile = "/tmp/.mcp-exec-code.ts"

/** Starts a script, in the process that waits for one if there is one. */
export function startScript(
  request: BoxRun,
  input: InputPipe | undefined,
  ahead: ScriptAhead | undefined,
): ScriptProcess {
  const { files, script, cwd, isSession } = request
  for (const { path, text } of files) leave(path, text)
  // A folder of the project that holds nothing of the script's.
  mkdirSync(cwd, { recursive: true })
  if (script.kind === "code") leave(codeFile, script.code)
  const words = [...(script.kind === "file" ? [script.path] : ["--code", codeFile, script.name]), ...request.args]
  if (ahead !== undefined) return ahead.run(words, request)
  const child = spawn([isSession ? "__session" : "__run", ...words], request, [input?.reader ?? "ignore"])
  input?.handOver()
  return child
}

/** A process that waits for a script. What it holds is no secret. */
export class ScriptAhead {
  readonly input = new InputPipe()
  readonly #env: Record<string, string>
  readonly #process: ScriptProcess
  readonly #order: number

  constructor(env: Record<string, string>) {
    this.#env = env
    const { reader, writer } = makePipe()
    this.#order = writer
    this.#process = spawn(["__run-ahead"], { cwd: "/", env }, [this.input.reader, reader])
    this.input.handOver()
    closeSync(reader)
  }

  /** Whether it will do: its variables cannot be changed for what the script starts, nor for its workers. */
  fits({ env, isSession }: BoxRun): boolean {
    const { exitCode, signalCode } = this.#process
    return !isSession && exitCode === null && signalCode === null && lateVariables(env, this.#env) !== undefined
  }

  run(words: string[], { env, cwd, input }: BoxRun): ScriptProcess {
    const order: ScriptOrder = { words, cwd, env: lateVariables(env, this.#env) ?? {} }
    const bytes = new TextEncoder().encode(JSON.stringify(order))
    // It is reading: this takes no longer than it does.
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#order, bytes, at)
    closeSync(this.#order)
    if (!input) this.input.end()
    return this.#process
  }

  /** Resolves when it has made room for another. */
  async end(): Promise<void> {
    this.#process.kill("SIGKILL")
    await this.#process.exited
  }
}

// Of no use to what a script starts: they are read by what runs beside it, in its process.
const ownVariables = ["MCP_EXEC_TOKEN", "MCP_EXEC_REPORT"]

/** Those of a script that its process has not had from the start; undefined when others differ. */
function lateVariables(env: Record<string, string>, early: Record<string, string>): Record<string, string> | undefined {
  const late = Object.entries(env).filter(([name]) => ownVariables.includes(name))
  const others = Object.entries(env).filter(([name]) => !ownVariables.includes(name))
  const isSame = others.length === Object.keys(early).length && others.every(([name, value]) => early[name] === value)
  return isSame ? Object.fromEntries(late) : undefined
}

function spawn(
  words: string[],
  { cwd, env }: { cwd: string; env: Record<string, string> },
  [stdin, fourth]: [stdin: number | "ignore", fourth?: number],
): ScriptProcess {
  const child = Bun.spawn([process.execPath, ...words], {
    cwd,
    env,
    stdio: [stdin, "pipe", "pipe", ...(fourth === undefined ? [] : [fourth])],
    detached: true,
  })
  void makeFirstVictim(child)
  return child
}

/** When memory runs out, the script is to go first: somebody has to tell. */
async function makeFirstVictim(script: ScriptProcess): Promise<void> {
  for (let tries = 0; tries < 100 && script.exitCode === null; tries++) {
    try {
      return writeFileSync(`/proc/${script.pid}/oom_score_adj`, "1000")
    } catch {
      // Until it has become another program, it is as closed as we are.
      await Bun.sleep(5)
    }
  }
}

function leave(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
