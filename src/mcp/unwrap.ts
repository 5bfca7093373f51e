// What a script sees of a tool's result. Knows nothing of servers or errors of ours.
import { isFields } from "./fields.ts"

/** How much of content without a word, such as an image, is worth repeating in an error. */
const maxQuotedLength = 500

/** Why a tool says it failed, or undefined when it did not. */
export function failureText(result: unknown): string | undefined {
  const { isError, content, structuredContent } = asResult(result)
  if (isError !== true) return undefined
  const items = Array.isArray(content) ? content : []
  const text = items
    .filter(isText)
    .map((item) => item.text)
    .join("\n")
    .trim()
  if (text) return text
  if (structuredContent !== undefined) return JSON.stringify(structuredContent)
  return items.length > 0 ? JSON.stringify(items).slice(0, maxQuotedLength) : "the tool gave no reason"
}

/**
 * The value inside a successful result: `structuredContent` if there is any; else text, joined with newlines and
 * parsed when it is JSON; else the content array as it is. A result without any content is `null`.
 */
export function unwrapResult(result: unknown): unknown {
  const { content, structuredContent } = asResult(result)
  if (structuredContent !== undefined) return structuredContent
  if (content === undefined || content === null) return null
  if (Array.isArray(content) && content.length === 0) return null
  const texts = textsOf(content)
  return texts === undefined ? content : parseText(texts.join("\n"))
}

/** The texts of a content array that holds nothing else. */
function textsOf(content: unknown): string[] | undefined {
  if (!Array.isArray(content)) return undefined
  const texts: string[] = []
  for (const item of content) {
    if (!isText(item)) return undefined
    texts.push(item.text)
  }
  return texts
}

function isText(item: unknown): item is { text: string } {
  return isFields(item) && item.type === "text" && typeof item.text === "string"
}

// Only text that begins like an object, an array, a number or a boolean can become one; `"quoted"` and `null` stay text.
const jsonStart = /^\s*[[{tf\d-]/

function parseText(text: string): unknown {
  if (!jsonStart.test(text)) return text
  try {
    const value: unknown = JSON.parse(text)
    // A long identifier is a number to JSON, but reading it as one would change it.
    return typeof value === "number" && Math.abs(value) > Number.MAX_SAFE_INTEGER ? text : value
  } catch {
    return text
  }
}

function asResult(result: unknown): { isError?: unknown; content?: unknown; structuredContent?: unknown } {
  return isFields(result) ? result : {}
}
