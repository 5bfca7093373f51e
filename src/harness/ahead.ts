// A script's process that was started on a guess, before it was known whether the script may run. It waits until somebody
// listens where its broker should be. When the guess was wrong nobody ever will, and it is ended.
import type { BrokerEndpoint } from "../broker/endpoint.ts"
import { exitOf, type SpawnedProcess, type StartedProcess, signalGroup } from "../platform/spawn.ts"
import type { RunRequest } from "./harness.ts"

export interface GuessedStart {
  child: StartedProcess
  path: string
  cwd: string
  /** Without those that are undefined. */
  env: Record<string, string | undefined>
  endpoint: BrokerEndpoint
}

export class ScriptAhead {
  readonly #guessed: GuessedStart
  #isOver = false

  constructor(guessed: GuessedStart) {
    this.#guessed = guessed
  }

  /** Where it waits for its broker, if that is in the folder where brokers are. */
  endpointIn(directory: string): BrokerEndpoint | undefined {
    const { endpoint } = this.#guessed
    return endpoint.address.startsWith(`${directory}/`) ? endpoint : undefined
  }

  /** The process, when it is what is wanted; otherwise it is ended. */
  take(request: RunRequest): SpawnedProcess | undefined {
    if (this.#isOver || !this.#fits(request)) return this.end()
    this.#isOver = true
    const { child } = this.#guessed
    return {
      pid: child.pid,
      exited: exitOf(child),
      outputClosed: Promise.resolve(),
      write: () => Promise.reject(new Error("the process has no input pipe")),
      closeInput() {},
    }
  }

  /** Ends it, unless it has been taken. */
  end(): undefined {
    if (!this.#isOver) signalGroup(this.#guessed.child.pid, "SIGKILL")
    this.#isOver = true
  }

  #fits({ script, cwd, env, capture, stdin, mode }: RunRequest): boolean {
    const { path, cwd: startedIn, env: early } = this.#guessed
    if (script.kind !== "file" || script.path !== path || cwd !== startedIn) return false
    if (capture || stdin !== undefined || mode !== undefined) return false
    return [...Object.keys(env), ...Object.keys(early)].every((name) => env[name] === early[name])
  }
}
