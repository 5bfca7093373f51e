// `call` through a daemon: words → socket → value, with as little loaded as `exec` needs. Whatever this
// cannot do is left to the ordinary command, before anything has happened.
import { exitCodeFor } from "../errors.ts"
import { createContext, type LogLevel, type OnProgress } from "../operations/context.ts"
import { openDaemonCall } from "../operations/daemon/call.ts"
import { parseCallArguments } from "./call-options.ts"
import { isErrorResult, printedValue, readCall } from "./call-view.ts"
import { elicitOnTerminal } from "./elicit-later.ts"
import { type CliIo, processIo, type Signal } from "./io.ts"
import type { Output } from "./output.ts"
import { plainFolder } from "./plain-words.ts"
import { writeOut } from "./write-out.ts"

/** Makes the call and returns the exit code; undefined when there is no daemon for it. */
export async function runCall(argv: readonly string[], io: CliIo = processIo()): Promise<number | undefined> {
  const parsed = parseCallArguments(argv)
  if (parsed === undefined) return undefined
  const { globals, raw, timeoutMs } = parsed
  const { env } = io
  const cwd = plainFolder(io.cwd, globals)
  if (cwd === undefined) return undefined
  let output: Promise<Output> | undefined
  const withOutput = () => {
    output ??= import("./output.ts").then(({ createOutput }) => createOutput(io, globals))
    return output
  }
  const log = (level: LogLevel, message: string) => void withOutput().then((each) => each.log(level, message))
  const onProgress: OnProgress = (progress) => void withOutput().then((each) => each.progress(progress))
  const ending = new AbortController()
  const { signal } = ending
  const context = createContext({
    cwd,
    env,
    configFlag: globals.config,
    log,
    elicit: elicitOnTerminal(io),
    onProgress,
    signal,
  })
  // What is wrong with the configuration, the ordinary command says.
  const call = await openDaemonCall(context).catch(() => undefined)
  // From here on nothing is left to it: what may have run must not run again.
  if (call === undefined) return undefined
  let interruption: Signal | undefined
  io.onSignal((name) => {
    interruption = name
    ending.abort()
  })
  try {
    const request = await readCall(parsed, call.serverNames, { cwd, io })
    const { value } = await call.perform({ ...request, raw, timeoutMs })
    if (output !== undefined) (await output).clear()
    await writeOut(printedValue(value, raw || globals.json), io)
    return raw && isErrorResult(value) ? 1 : 0
  } catch (error) {
    const shown = await withOutput()
    shown.error(error)
    return interruption === undefined ? exitCodeFor(error) : { SIGINT: 130, SIGTERM: 143 }[interruption]
  } finally {
    await call.close()
    await output
    await io.flush()
  }
}
