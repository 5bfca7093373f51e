// Learns from the results that scripts and `call` get anyway. Where a tool's type was discovered, it notes results
// that do not fit it; with `discovery: "observe"` it notes the shape of all. It keeps no value, loads what
// it needs when the first result comes, and never fails.

import type { ToolShape } from "../../discovery/shape.ts"
import { mayExist } from "../../platform/may-exist.ts"
import type { OperationContext } from "../context.ts"
import type { Notes, ServerNotes } from "./observed.ts"

type Parts = Awaited<ReturnType<typeof loadParts>>

export interface WatchOptions extends Notes {
  /** Learn from all tools, not only from those whose types were discovered. */
  observe: boolean
}

/** Learns from one result, as from those of a script. */
export async function watchResult(context: OperationContext, ...seen: Parameters<ResultWatch["saw"]>): Promise<void> {
  const { directory, discovery } = await context.config()
  const { cacheDirectory } = context
  const watch = new ResultWatch({
    cacheDirectory,
    directory: `${directory}/servers`,
    observe: discovery === "observe",
  })
  watch.saw(...seen)
  await watch.settle()
}

export class ResultWatch {
  readonly #options: WatchOptions
  readonly #servers = new Map<string, { known: Map<string, ToolShape>; seen: Map<string, ToolShape> }>()
  readonly #watched = new Map<string, boolean>()
  #loading: Promise<void> | undefined
  #parts: Parts | undefined

  constructor(options: WatchOptions) {
    this.#options = options
  }

  /** A tool has answered. What goes wrong here concerns nobody who calls a tool. */
  saw(server: string, tool: string, args: unknown, value: unknown): void {
    if (!this.#isWatched(server)) return
    const look = (parts: Parts) => {
      this.#parts = parts
      this.#look(parts, server, tool, args, value)
    }
    if (this.#parts === undefined) {
      const loaded = this.#loading ?? Promise.resolve()
      this.#loading = loaded
        .then(loadParts)
        .then(look)
        .catch(() => {})
    } else look(this.#parts)
  }

  /** Writes down what was learned. */
  async settle(): Promise<void> {
    await this.#loading
    const parts = this.#parts
    if (parts === undefined) return
    for (const [server, { known, seen }] of this.#servers) {
      const notes = this.#notesOf(parts, server, known, seen)
      if (notes.shapes.size + notes.drift.size > 0) parts.addNotes(this.#options, notes)
    }
    // A daemon goes on: types may be new the next time.
    this.#servers.clear()
    this.#watched.clear()
  }

  /** Asked once for each server. Most have no discovered types, and must not pay for those that have. */
  #isWatched(server: string): boolean {
    const { observe, directory } = this.#options
    let isWatched = this.#watched.get(server)
    if (isWatched === undefined) {
      // The folder of a server whose name is not plain has another one.
      const isPlain = /^[A-Za-z0-9][\w-]*$/.test(server)
      isWatched = observe || !isPlain || mayExist(`${directory}/${server}/types.discovered.json`)
      this.#watched.set(server, isWatched)
    }
    return isWatched
  }

  #look(
    { findUsedShapes, addSample, emptyShape }: Parts,
    server: string,
    tool: string,
    args: unknown,
    value: unknown,
  ): void {
    let entry = this.#servers.get(server)
    if (entry === undefined) {
      entry = { known: findUsedShapes(this.#options.directory, server), seen: new Map() }
      this.#servers.set(server, entry)
    }
    if (!this.#options.observe && !entry.known.has(tool)) return
    const shape = entry.seen.get(tool) ?? emptyShape()
    addSample(shape, args, value)
    entry.seen.set(tool, shape)
  }

  #notesOf(
    { differencesFrom, settleWords }: Parts,
    server: string,
    known: ReadonlyMap<string, ToolShape>,
    seen: Map<string, ToolShape>,
  ): ServerNotes {
    const drift = new Map<string, string[]>()
    for (const [tool, shape] of seen) {
      const before = known.get(tool)
      const changes = before === undefined ? [] : differencesFrom(before, shape)
      if (changes.length > 0) drift.set(tool, changes)
      settleWords(shape)
    }
    return { server, shapes: this.#options.observe ? seen : new Map(), drift }
  }
}

async function loadParts() {
  const [{ addSample, emptyShape }, { settleWords }, { differencesFrom }, { addNotes }, { findUsedShapes }] =
    await Promise.all([
      import("../../discovery/shape.ts"),
      import("../../discovery/words.ts"),
      import("../../discovery/differences.ts"),
      import("./observed.ts"),
      import("./known-shapes.ts"),
    ])
  return { addSample, emptyShape, settleWords, differencesFrom, addNotes, findUsedShapes }
}
