// Compares what servers list with what was generated from them, while they are used for something else,
// and leaves word for `ls`. It loads what it needs when there is something to compare, and never fails.
import type { Tool } from "../catalog.ts"
import type { List, Marks, OfferNotes, Seen } from "./changed-servers.ts"

/** How long the end of a command may wait for the tools of a server that says they have changed. */
const patienceMs = 250

export class ToolsWatch {
  readonly #findMarks: () => Promise<Marks>
  #notes: OfferNotes | undefined
  readonly #asking = new Map<string, { again: boolean }>()
  readonly #asked = new Set<Promise<void>>()
  #noted: Promise<void> = Promise.resolve()

  constructor(findMarks: () => Promise<Marks>) {
    this.#findMarks = findMarks
  }

  /** A server's tools have been listed. */
  listed(server: string, tools: readonly Tool[]): void {
    this.#note(server, { tools })
  }

  /** A server says that some of its lists have changed. Not all who say so mean it, so it is asked for its tools. */
  changed(server: string, methods: readonly string[], listTools: () => Promise<unknown>): void {
    const lists = new Set(methods.map((method) => method.slice(0, method.indexOf("/")) as List))
    if (lists.delete("tools")) this.#ask(server, listTools)
    if (lists.size > 0) this.#note(server, { changed: [...lists] })
  }

  #note(server: string, seen: Seen): void {
    const write = async () => {
      this.#notes ??= await this.#open()
      await this.#notes.note(server, seen)
    }
    // One after the other, so that the last word counts. What goes wrong concerns nobody who uses the server.
    this.#noted = this.#noted.then(write).catch(() => {})
  }

  async #open(): Promise<OfferNotes> {
    const [{ OfferNotes }, marks] = await Promise.all([import("./changed-servers.ts"), this.#findMarks()])
    return new OfferNotes(marks)
  }

  /** The answer comes back through `listed`. While it is awaited, a server may say the same many times. */
  #ask(server: string, listTools: () => Promise<unknown>): void {
    const asking = this.#asking.get(server)
    if (asking !== undefined) {
      asking.again = true
      return
    }
    this.#note(server, { changed: ["tools"] })
    const question = { again: false }
    this.#asking.set(server, question)
    const finish = () => {
      this.#asked.delete(asked)
      this.#asking.delete(server)
      if (question.again) this.#ask(server, listTools)
    }
    const asked: Promise<void> = listTools().then(finish, finish)
    this.#asked.add(asked)
  }

  /** Resolves when everything is written that could be found out in a moment. */
  async settle(): Promise<void> {
    if (this.#asked.size > 0) {
      let timer: ReturnType<typeof setTimeout> | undefined
      const patience = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, patienceMs)
      })
      await Promise.race([Promise.all(this.#asked), patience])
      clearTimeout(timer)
    }
    await this.#noted
  }
}
