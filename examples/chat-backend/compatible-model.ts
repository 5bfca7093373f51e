// A model behind an endpoint that speaks the chat completions protocol, as most providers and local programs do.
import type { Model } from "./chat.ts"

export interface Endpoint {
  /** Up to and without /chat/completions. */
  url: string
  model: string
  key?: string | undefined
}

/** Streams the replies of a model. */
export function compatibleModel({ url, model, key }: Endpoint): Model {
  return async function* reply(messages, signal) {
    const response = await fetch(`${url.replace(/\/$/, "")}/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json", ...(key !== undefined && { authorization: `Bearer ${key}` }) },
      body: JSON.stringify({ model, messages, stream: true }),
      signal: signal ?? null,
    })
    if (!response.ok || response.body === null) {
      throw new Error(`The model's endpoint answered ${response.status}: ${(await response.text()).slice(0, 500)}`)
    }
    for await (const line of linesOf(response.body)) {
      if (!line.startsWith("data:") || line.includes("[DONE]")) continue
      const { choices } = JSON.parse(line.slice("data:".length))
      const text: unknown = choices?.[0]?.delta?.content
      if (typeof text === "string" && text !== "") yield text
    }
  }
}

async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ""
  for await (const chunk of body) {
    rest += decoder.decode(chunk, { stream: true })
    const lines = rest.split("\n")
    rest = lines.pop() ?? ""
    yield* lines
  }
  yield rest
}
