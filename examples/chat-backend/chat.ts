// One turn of a chat: the model answers, or writes code. Code is run, its result goes back to the model, and
// so on until it answers in words. Everything that happens is an event, as it happens.
import type { ExecutionResult, Executor } from "./executor.ts"

export interface Message {
  role: "system" | "user" | "assistant"
  content: string
}

/** A model: the conversation so far in, its reply out, piece by piece. */
export type Model = (messages: readonly Message[], signal?: AbortSignal) => AsyncIterable<string>

export type ChatEvent =
  | { type: "text"; text: string }
  | { type: "run"; code: string }
  | { type: "output"; stream: "stdout" | "stderr"; text: string }
  | { type: "result"; result: ExecutionResult }
  /** The turn is over; `messages` are those to keep. */
  | { type: "done"; messages: Message[]; reason: "answered" | "too many runs" }

export interface Turn {
  model: Model
  execute: Executor
  messages: readonly Message[]
  /** How often the model may run code before it has to answer. */
  maxRuns?: number
  signal?: AbortSignal
}

/** Plays one turn. */
export async function* chat({ model, execute, messages, maxRuns = 8, signal }: Turn): AsyncGenerator<ChatEvent> {
  const conversation = [...messages]
  for (let runs = 0; ; runs++) {
    signal?.throwIfAborted()
    let reply = ""
    for await (const text of model(conversation, signal)) {
      reply += text
      yield { type: "text", text }
      // What a model writes after its code it has made up: the result is not there yet.
      if (findCode(reply) !== undefined) break
    }
    const found = findCode(reply)
    conversation.push({ role: "assistant", content: found === undefined ? reply : reply.slice(0, found.end) })
    if (found === undefined) return yield { type: "done", messages: conversation, reason: "answered" }
    if (runs === maxRuns) return yield { type: "done", messages: conversation, reason: "too many runs" }
    yield { type: "run", code: found.code }
    const result = yield* whileRunning<ChatEvent, ExecutionResult>((push) =>
      execute(found.code, { signal, onOutput: (output) => push({ type: "output", ...output }) }),
    )
    yield { type: "result", result }
    conversation.push({ role: "user", content: `Result of the code:\n${JSON.stringify(result)}` })
  }
}

/** The first finished block of code in a reply. */
export function findCode(reply: string): { code: string; end: number } | undefined {
  const match = /^```(?:ts|typescript|js|javascript)[ \t]*\n([\s\S]*?)^```[ \t]*$/m.exec(reply)
  return match === null ? undefined : { code: match[1] ?? "", end: match.index + match[0].length }
}

/** Yields what is pushed while something runs, and returns what it gives. */
async function* whileRunning<Item, Result>(
  start: (push: (item: Item) => void) => Promise<Result>,
): AsyncGenerator<Item, Result> {
  const items: Item[] = []
  let wake = () => {}
  let isOver = false
  const running = start((item) => {
    items.push(item)
    wake()
  })
  const over = () => {
    isOver = true
    wake()
  }
  running.then(over, over)
  while (!isOver || items.length > 0) {
    if (items.length > 0) yield* items.splice(0)
    else {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
  return await running
}
