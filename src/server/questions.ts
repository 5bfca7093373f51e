// Questions that servers ask while a script runs, passed on to the client that runs it. The call answers
// with the question instead of a result, and is made again with the answer: so it works in every revision
// of the protocol. A question that cannot be told whose it is, or that nobody can answer, is declined.
import type { Elicit, Sample } from "../operations/context.ts"
import { TimeLimits } from "../platform/time-limits.ts"

/** For the user, or for the client's model. */
export type Question =
  | { kind: "elicit"; request: Parameters<Elicit>[0] }
  | { kind: "sample"; request: Parameters<Sample>[0] }

export type Answer =
  | { kind: "elicit"; answer: Awaited<ReturnType<Elicit>> }
  | { kind: "sample"; answer: Record<string, unknown> }

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

  /** Asks the user of whoever runs a script. */
  async elicit(request: Parameters<Elicit>[0]): ReturnType<Elicit> {
    const asked = this.#whom({ kind: "elicit", request })
    if (asked === undefined) return { action: "decline" }
    const given = await asked.ask({ kind: "elicit", request })
    return given?.kind === "elicit" ? given.answer : { action: "cancel" }
  }

  /** Asks the model of whoever runs a script. */
  async sample(request: Parameters<Sample>[0]): ReturnType<Sample> {
    const given = await this.#whom({ kind: "sample", request })?.ask({ kind: "sample", request })
    return given?.kind === "sample" ? given.answer : undefined
  }

  #whom(question: Question): Conversation | undefined {
    const all = [...this.#conversations.values()]
    const last = all.findLast(({ canAnswer }) => canAnswer(question))
    return last === undefined || all.some(({ client }) => client !== last.client) ? undefined : last
  }

  close(): void {
    for (const conversation of this.#conversations.values()) conversation.end()
  }
}

type Turn<Result> = { kind: "done"; result: Result } | { kind: "question"; question: Question }

export class Conversation {
  readonly id = crypto.randomUUID()
  /** Of what the call does: they stand still while its client is asked. */
  readonly limits = new TimeLimits()
  readonly client: string
  readonly canAnswer: (question: Question) => boolean
  readonly #onEnd: () => void
  readonly #open: { question: Question; resolve(answer: Answer | undefined): void }[] = []
  #wake: (() => void) | undefined
  #impatience: ReturnType<typeof setTimeout> | undefined
  #hasEnded = false

  constructor(client: string, canAnswer: (question: Question) => boolean, onEnd: () => void) {
    this.client = client
    this.canAnswer = canAnswer
    this.#onEnd = onEnd
  }

  /** Undefined when there is no answer any more. */
  ask(question: Question): Promise<Answer | undefined> {
    if (this.#hasEnded) return Promise.resolve(undefined)
    const asked = () =>
      new Promise<Answer | undefined>((resolve) => {
        this.#open.push({ question, resolve })
        this.#wake?.()
      })
    return this.limits.hold(asked)
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
      clearTimeout(this.#impatience)
      this.#impatience = setTimeout(() => this.#settle(undefined), patienceMs)
      return { kind: "question", question: first.question }
    }
    return { kind: "done", result: done === undefined ? await result : done.value }
  }

  /** The client's answer to the question that it was given. One of another kind is none. */
  answer(answer: Answer): void {
    if (this.#open[0]?.question.kind === answer.kind) this.#settle(answer)
  }

  /** Nobody will answer any more. */
  end(): void {
    this.#hasEnded = true
    while (this.#open.length > 0) this.#settle(undefined)
    this.#onEnd()
  }

  #settle(answer: Answer | undefined): void {
    clearTimeout(this.#impatience)
    this.#open.shift()?.resolve(answer)
  }
}
