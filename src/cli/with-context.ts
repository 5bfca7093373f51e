// Around every command that uses operations: builds their context from the command line, ends them
// when the user wants an end, and leaves nothing behind.
import type { CommandUnknownOpts } from "@commander-js/extra-typings"
import { McpExecError } from "../errors.ts"
import { createContext, type OperationContext } from "../operations/context.ts"
import { createElicit } from "./elicit.ts"
import { type Globals, readGlobals } from "./globals.ts"
import type { CliIo, Signal } from "./io.ts"
import { createOutput, type Output } from "./output.ts"
import { workingDirectory } from "./working-directory.ts"

export interface Run {
  context: OperationContext
  output: Output
  globals: Globals
}

// How long an operation that was told to stop may take to say how it ended.
const graceMs = 1000

/** Runs a command's operations with a context that is disposed at the end. */
export async function withContext(
  command: CommandUnknownOpts,
  io: CliIo,
  run: (run: Run) => Promise<void>,
): Promise<void> {
  const globals = readGlobals(rootOf(command))
  const output = createOutput(io, globals)
  const cwd = await workingDirectory(io.cwd, globals.cwd)
  const interruption = interruptible(io)
  const context = createContext({
    cwd,
    env: io.env,
    configFlag: globals.config,
    log: output.log,
    elicit: createElicit(io),
    onProgress: output.progress,
    signal: interruption.signal,
  })
  try {
    await Promise.race([run({ context, output, globals }), interruption.happened])
  } finally {
    output.clear()
    await context[Symbol.asyncDispose]()
    interruption.stop()
  }
}

function rootOf(command: CommandUnknownOpts): CommandUnknownOpts {
  return command.parent === null ? command : rootOf(command.parent)
}

const exitCodeOfSignal = { SIGINT: 130, SIGTERM: 143 }

function interruptible(io: CliIo) {
  const controller = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopListening = () => {}
  const happened = new Promise<never>((_, reject) => {
    stopListening = io.onSignal((signal: Signal) => {
      io.exitCode = exitCodeOfSignal[signal]
      const error = new McpExecError("E_TOOL_CANCELLED", `interrupted by ${signal}`)
      controller.abort(error)
      timer = setTimeout(() => reject(error), graceMs)
    })
  })
  return {
    signal: controller.signal,
    happened,
    stop() {
      stopListening()
      clearTimeout(timer)
    },
  }
}
