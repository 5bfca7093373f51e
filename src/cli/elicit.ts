// Asks the user on the terminal what a server wants to know. Says which server asks, shows what will
// be sent before it is sent, and never opens a page by itself.
import type { Elicit } from "../operations/context.ts"
import { printable } from "../printable.ts"
import type { Field } from "./elicit-form.ts"
import type { CliIo } from "./io.ts"

type Request = Parameters<Elicit>[0]
type Answer = Awaited<ReturnType<Elicit>>

/** How servers can ask; undefined when there is nobody to answer. */
export function createElicit(io: CliIo): Elicit | undefined {
  if (!io.isTTY.stdin || !io.isTTY.stderr) return undefined
  let last: Promise<unknown> = Promise.resolve()
  // One conversation at a time: two prompts on one terminal are none.
  return (request, signal) => {
    const answer = last.then(() => (signal?.aborted ? { action: "cancel" as const } : converse(io, request, signal)))
    last = answer.catch(() => {})
    return answer
  }
}

async function converse(io: CliIo, request: Request, signal?: AbortSignal): Promise<Answer> {
  const prompter = await openPrompter(io)
  const withdraw = () => prompter.close()
  signal?.addEventListener("abort", withdraw, { once: true })
  try {
    prompter.say(`\nServer "${printable(request.server)}" asks: ${printable(request.message)}`)
    return request.url === undefined ? await fillIn(prompter, request) : await visit(prompter, request.url)
  } catch (error) {
    if (error !== cancelled) throw error
    prompter.say(signal?.aborted ? `\nServer "${printable(request.server)}" no longer waits for an answer.` : "")
    return { action: "cancel" }
  } finally {
    signal?.removeEventListener("abort", withdraw)
    prompter.close()
  }
}

async function visit(prompter: Prompter, url: string): Promise<Answer> {
  const host = URL.parse(url)?.host
  prompter.say(`It wants you to open this page${host ? ` on ${printable(host)}` : ""}:\n\n  ${printable(url)}\n`)
  return (await confirm(prompter, "Did you open it, and may the server go on?"))
    ? { action: "accept" }
    : { action: "decline" }
}

async function fillIn(prompter: Prompter, request: Request): Promise<Answer> {
  const { fieldsOf, parseAnswer } = await import("./elicit-form.ts")
  const content: [string, unknown][] = []
  for (const field of fieldsOf(request.requestedSchema)) {
    introduce(prompter, field)
    for (;;) {
      const answer = parseAnswer(field, await prompter.ask(questionFor(field)))
      if (answer === "skip") break
      if ("value" in answer) {
        content.push([field.name, answer.value])
        break
      }
      prompter.say(`  ${answer.problem}`)
    }
  }
  const sent = Object.fromEntries(content)
  const question = content.length === 0 ? "Agree?" : `Send ${printable(JSON.stringify(sent))}?`
  return (await confirm(prompter, question)) ? { action: "accept", content: sent } : { action: "decline" }
}

function introduce(prompter: Prompter, field: Field): void {
  if (field.description !== undefined) prompter.say(`  ${printable(field.description)}`)
  field.choices.forEach(({ title }, index) => {
    prompter.say(`  ${index + 1}. ${printable(title)}`)
  })
}

function questionFor(field: Field): string {
  const format = field.limits.format
  const kind = { choice: "number", choices: "numbers, with commas" }[field.kind as string] ?? field.kind
  const notes = [
    field.kind === "boolean" ? "yes/no" : typeof format === "string" ? format : kind,
    ...(field.default === undefined ? [] : [`default ${JSON.stringify(field.default)}`]),
    ...(field.required || field.default !== undefined ? [] : ["optional"]),
  ]
  return printable(`${field.title} (${notes.join(", ")}): `)
}

async function confirm(prompter: Prompter, question: string): Promise<boolean> {
  for (;;) {
    const answer = (await prompter.ask(`${question} (yes/no): `)).trim()
    if (/^(y|yes)$/i.test(answer)) return true
    if (/^(n|no)$/i.test(answer)) return false
  }
}

interface Prompter {
  say(text: string): void
  /** Rejects with `cancelled` at Ctrl-C and at the end of input. */
  ask(question: string): Promise<string>
  close(): void
}

const cancelled = Symbol("cancelled")

async function openPrompter(io: CliIo): Promise<Prompter> {
  const { createInterface } = await import("node:readline")
  const { input, output } = io.conversation()
  const lines = createInterface({ input, output, terminal: io.isTTY.stdin })
  const typedAhead: string[] = []
  let waiting: { resolve(line: string): void; reject(reason: unknown): void } | undefined
  let ended = false
  lines.on("line", (line) => {
    if (waiting === undefined) typedAhead.push(line)
    else waiting.resolve(line)
    waiting = undefined
  })
  lines.on("close", () => {
    ended = true
    waiting?.reject(cancelled)
  })
  lines.on("SIGINT", () => lines.close())
  return {
    say: (text) => io.stderr(`${text}\n`),
    ask(question) {
      const ready = typedAhead.shift()
      if (ready !== undefined) return Promise.resolve(ready)
      if (ended) return Promise.reject(cancelled)
      lines.setPrompt(question)
      lines.prompt()
      return new Promise((resolve, reject) => {
        waiting = { resolve, reject }
      })
    },
    close: () => lines.close(),
  }
}
