// Servers' processes that were started before the configuration was loaded. A connection takes the one that was
// started in just the way in which it would start its own; what nobody takes is ended.
import type { Guard } from "../platform/guard.ts"
import { type StdioCommand, type StdioOptions, StdioTransport } from "./stdio-transport.ts"

interface Started {
  child: StdioTransport
  /** What it has printed before somebody took it. */
  junk: string[]
}

export class StartedAhead {
  readonly #started = new Map<string, Started>()

  start(command: StdioCommand, guard: Guard): void {
    const junk: string[] = []
    const child = new StdioTransport(command, { guard, onJunk: (line) => void junk.push(line), onEnded: () => {} })
    this.#started.set(keyOf(command), { child, junk })
    child.launch()
  }

  /** The process that was started with this command, once. */
  take(command: StdioCommand, options: StdioOptions): StdioTransport | undefined {
    const key = keyOf(command)
    const started = this.#started.get(key)
    if (started === undefined) return undefined
    this.#started.delete(key)
    started.child.belongTo(options)
    for (const line of started.junk) options.onJunk(line)
    return started.child
  }

  /** Ends what nobody has taken. */
  async close(): Promise<void> {
    const left = [...this.#started.values()]
    this.#started.clear()
    await Promise.all(left.map(({ child }) => child.close()))
  }
}

function keyOf({ command, cwd, env, isOnOwnBun }: StdioCommand): string {
  return JSON.stringify([command, cwd, Object.entries(env).sort(), isOnOwnBun])
}
