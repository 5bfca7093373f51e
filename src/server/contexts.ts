// The context of operations for a process that stays: when the configuration changes, the next call gets
// a new one, and the old one goes when the last call that uses it has ended.
import { statSync } from "node:fs"
import { type ContextOptions, createContext, type OperationContext } from "../operations/context.ts"

export interface Lease extends AsyncDisposable {
  readonly context: OperationContext
}

interface Held {
  context: OperationContext
  stamp: string
  users: number
  isOld: boolean
}

export class Contexts {
  readonly #options: ContextOptions
  readonly #all = new Set<Held>()
  #current: Held | undefined

  constructor(options: ContextOptions) {
    this.#options = options
  }

  /** The context of the configuration as it is now. Give it back by disposing of the lease. */
  async lease(): Promise<Lease> {
    const stamp = await this.#stamp()
    const before = this.#current
    if (before === undefined || before.stamp !== stamp) {
      this.#current = { context: createContext(this.#options), stamp, users: 0, isOld: false }
      this.#all.add(this.#current)
      if (before !== undefined) await this.#retire(before)
    }
    const held = this.#current as Held
    held.users += 1
    let isReturned = false
    return {
      context: held.context,
      [Symbol.asyncDispose]: async () => {
        if (isReturned) return
        isReturned = true
        held.users -= 1
        if (held.isOld) await this.#retire(held)
      },
    }
  }

  /** The folder of the project: where the configuration is, or where we were started. */
  async directory(): Promise<string> {
    const file = await createContext(this.#options)
      .configFile()
      .catch(() => undefined)
    return file === undefined ? this.#options.cwd : file.replace(/[\\/][^\\/]*$/, "")
  }

  /** Ends every connection, used or not. */
  async close(): Promise<void> {
    const all = [...this.#all]
    this.#all.clear()
    this.#current = undefined
    await Promise.all(all.map(({ context }) => context[Symbol.asyncDispose]()))
  }

  async #retire(held: Held): Promise<void> {
    held.isOld = true
    if (held.users > 0 || !this.#all.delete(held)) return
    await held.context[Symbol.asyncDispose]()
  }

  /** What tells one state of the configuration file from another. */
  async #stamp(): Promise<string> {
    // Looked for again each time: a context remembers what it has found.
    const file = await createContext(this.#options)
      .configFile()
      .catch((error: unknown) => String(error))
    const status = file === undefined ? undefined : statSync(file, { throwIfNoEntry: false })
    return [file, status?.mtimeMs, status?.size].join("|")
  }
}
