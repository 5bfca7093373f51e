// The questions of one run to its client, one after the other. How they get there is not known here.
import type { Elicit, Sample } from "../operations/context.ts"
import { TimeLimits } from "../platform/time-limits.ts"

/** For the user, or for the client's model. */
export type Question =
  | { kind: "elicit"; request: Parameters<Elicit>[0] }
  | { kind: "sample"; request: Parameters<Sample>[0] }

export type Answer =
  | { kind: "elicit"; answer: Awaited<ReturnType<Elicit>> }
  | { kind: "sample"; answer: Record<string, unknown> }

type Turn<Result> = { kind: "done"; result: Result } | { kind: "question"; question: Question }

export class Conversation {
  readonly id = crypto.randomUUID()
  /** Of what the call does: they stand still while its client is asked. */
  readonly limits = new TimeLimits()
  readonly client: string
  /** Who is known to be one and the same: nobody else is asked what this run leads to. */
  readonly group: string
  readonly canAnswer: (question: Question) => boolean
  readonly #onEnd: () => void
  readonly #open: { question: Question; resolve(answer: Answer | undefined): void }[] = []
  #wake: (() => void) | undefined
  #hasEnded = false

  constructor(
    client: string,
    { canAnswer, isShared, onEnd }: { canAnswer: Conversation["canAnswer"]; isShared: boolean; onEnd: () => void },
  ) {
    this.client = client
    this.group = isShared ? this.id : client
    this.canAnswer = canAnswer
    this.#onEnd = onEnd
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** Undefined when there is no answer any more. */
  ask(question: Question): Promise<Answer | undefined> {
    if (this.#hasEnded) return Promise.resolve(undefined)
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
    if (done === undefined && first !== undefined) return { kind: "question", question: first.question }
    return { kind: "done", result: done === undefined ? await result : done.value }
  }

  /** The client's answer to the question that it was given, if there is one. One of another kind is ignored. */
  answer(answer: Answer | undefined): void {
    if (answer === undefined || this.#open[0]?.question.kind === answer.kind) this.#settle(answer)
  }

  /** Nobody will answer any more. */
  end(): void {
    this.#hasEnded = true
    while (this.#open.length > 0) this.#settle(undefined)
    this.#onEnd()
  }

  #settle(answer: Answer | undefined): void {
    this.#open.shift()?.resolve(answer)
  }
}
