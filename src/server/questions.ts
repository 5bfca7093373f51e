// Questions that servers ask while scripts run, passed on to the client whose script called the server. A
// server does not say which call makes it ask: when calls of several clients are under way there, nobody can
// know, and the question is declined. So is one that nobody can answer.
import type { Elicit, Sample } from "../operations/context.ts"
import { type Answer, Conversation, type Question } from "./conversation.ts"

/** On whose behalf a server is asked something; nobody's, when there is no script. */
type Caller = Conversation | undefined

export class Questions {
  readonly #conversations = new Map<string, Conversation>()
  /** Of each server, one entry for each request under way, in their order. */
  readonly #callers = new Map<string, Caller[]>()

  /** Begins the conversation of one call. */
  open(client: string, canAnswer: Conversation["canAnswer"], { isShared = false } = {}): Conversation {
    const onEnd = () => void this.#conversations.delete(conversation.id)
    const conversation = new Conversation(client, { canAnswer, isShared, onEnd })
    this.#conversations.set(conversation.id, conversation)
    return conversation
  }

  /** The conversation that a client goes on with; undefined when it is over, or somebody else's. */
  find(id: string, client: string): Conversation | undefined {
    const found = this.#conversations.get(id)
    return found?.client === client ? found : undefined
  }

  /** Makes a request to a server: what that asks meanwhile may belong to it. */
  async during<Result>(caller: Caller, server: string, request: () => Promise<Result>): Promise<Result> {
    const callers = this.#callers.get(server) ?? []
    this.#callers.set(server, callers)
    callers.push(caller)
    try {
      return await request()
    } finally {
      callers.splice(callers.indexOf(caller), 1)
      if (callers.length === 0) this.#callers.delete(server)
    }
  }

  /** Asks the user of whoever called the server. */
  async elicit(request: Parameters<Elicit>[0]): ReturnType<Elicit> {
    const given = await this.#ask({ kind: "elicit", request })
    if (given === "nobody") return { action: "decline" }
    return given?.kind === "elicit" ? given.answer : { action: "cancel" }
  }

  /** Asks the model of whoever called the server. */
  async sample(request: Parameters<Sample>[0]): ReturnType<Sample> {
    const given = await this.#ask({ kind: "sample", request })
    return given !== "nobody" && given?.kind === "sample" ? given.answer : undefined
  }

  close(): void {
    for (const conversation of this.#conversations.values()) conversation.end()
  }

  async #ask(question: Question): Promise<Answer | "nobody" | undefined> {
    for (;;) {
      const callers = this.#callersOf(question.request.server)
      const asked = callers.findLast(({ canAnswer }) => canAnswer(question))
      if (asked === undefined) return "nobody"
      // It may be any of them that waits for the answer.
      const waiting = callers.reduce(
        (ask, { limits }) =>
          () =>
            limits.hold(ask),
        () => asked.ask(question),
      )
      const answer = await waiting()
      // A script may be over before the question is answered that another of the same client waits for.
      if (answer !== undefined || !asked.hasEnded) return answer
    }
  }

  /** The scripts that may have made a server ask; none when they are of several clients, or of none. */
  #callersOf(server: string): Conversation[] {
    const callers = [...new Set(this.#callers.get(server))]
    const known = callers.flatMap((each) => (each === undefined || each.hasEnded ? [] : [each]))
    const isOneClients = callers.every((each) => each?.group === callers[0]?.group)
    return isOneClients ? known : []
  }
}
