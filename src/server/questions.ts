// Questions that servers ask while a script runs, passed on to the client that runs it. The call answers
// with the question instead of a result, and is made again with the answer: so it works in every revision
// of the protocol. A question that cannot be told whose it is, or that nobody can answer, is declined.
import type { Elicit } from "../operations/context.ts"

export type Question = Parameters<Elicit>[0]
export type Answer = Awaited<ReturnType<Elicit>>

/** How long a client may take to come back with an answer. */
const patienceMs = 5 * 60_000

export class Questions {
  readonly #conversations = new Map<string, Conversation>()

  /** Begins the conversation of one call. */
  open(client: string, canAnswer: (question: Question) => boolean): Conversation {
    const conversation = new Conversation(client, canAnswer, () => this.#conversations.delete(conversation.id))
    this.#conversations.set(conversation.id, conversation)
    return conversation
  }

  /** The conversation that a client goes on with; undefined when it is over, or somebody else's. */
  find(id: string, client: string): Conversation | undefined {
    const found = this.#conversations.get(id)
    return found?.client === client ? found : undefined
  }

  /** Asks whoever runs a script, when that is one client. */
  async ask(question: Question): Promise<Answer> {
    const all = [...this.#conversations.values()]
    const last = all.findLast(({ canAnswer }) => canAnswer(question))
    if (last === undefined || all.some(({ client }) => client !== last.client)) return { action: "decline" }
    return await last.ask(question)
  }

  close(): void {
    for (const conversation of this.#conversations.values()) conversation.end()
  }
}

type Turn<Result> = { kind: "done"; result: Result } | { kind: "question"; question: Question }

export class Conversation {
  readonly id = crypto.randomUUID()
  readonly client: string
  readonly canAnswer: (question: Question) => boolean
  readonly #onEnd: () => void
  readonly #open: { question: Question; resolve(answer: Answer): void }[] = []
  #wake: (() => void) | undefined
  #impatience: ReturnType<typeof setTimeout> | undefined
  #hasEnded = false

  constructor(client: string, canAnswer: (question: Question) => boolean, onEnd: () => void) {
    this.client = client
    this.canAnswer = canAnswer
    this.#onEnd = onEnd
  }

  ask(question: Question): Promise<Answer> {
    if (this.#hasEnded) return Promise.resolve({ action: "cancel" })
    return new Promise((resolve) => {
      this.#open.push({ question, resolve })
      this.#wake?.()
    })
  }

  /** What the call is to answer with now: its result, or the next question. */
  async next<Result>(result: Promise<Result>): Promise<Turn<Result>> {
    const asked = new Promise<void>((resolve) => {
      this.#wake = resolve
      if (this.#open.length > 0) resolve()
    })
    const done = await Promise.race([result.then((value) => ({ value })), asked])
    const [first] = this.#open
    if (done === undefined && first !== undefined) {
      this.#impatience = setTimeout(() => this.answer({ action: "cancel" }), patienceMs)
      return { kind: "question", question: first.question }
    }
    return { kind: "done", result: done === undefined ? await result : done.value }
  }

  /** The client's answer to the question that it was given. */
  answer(answer: Answer): void {
    clearTimeout(this.#impatience)
    this.#open.shift()?.resolve(answer)
  }

  /** Nobody will answer any more. */
  end(): void {
    this.#hasEnded = true
    while (this.#open.length > 0) this.answer({ action: "cancel" })
    this.#onEnd()
  }
}
