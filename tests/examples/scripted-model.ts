import type { Message, Model } from "../../examples/chat-backend/chat.ts"

export interface ScriptedModel {
  model: Model
  /** The conversation at each of its calls. */
  heard: (readonly Message[])[]
  /** How many pieces of its replies somebody wanted. */
  said: string[]
}

/** A model that says what it is told to, in pieces of a few characters; what it hears last may decide. */
export function scriptedModel(replies: (string | ((last: string) => string))[]): ScriptedModel {
  const heard: ScriptedModel["heard"] = []
  const said: string[] = []
  async function* model(messages: readonly Message[]): AsyncGenerator<string> {
    const reply = replies[Math.min(heard.length, replies.length - 1)] ?? ""
    heard.push([...messages])
    const text = typeof reply === "string" ? reply : reply(messages.at(-1)?.content ?? "")
    for (const piece of text.match(/[\s\S]{1,7}/g) ?? []) {
      said.push(piece)
      yield piece
    }
  }
  return { model, heard, said }
}

/** A reply with a block of code. */
export function codeReply(code: string, before = "Let me see.\n"): string {
  return `${before}\`\`\`ts\n${code}\n\`\`\``
}
