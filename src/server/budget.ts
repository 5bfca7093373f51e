// How much of an output a model is shown. What is too long is shortened by its structure: lists lose their
// middle and say how much, long texts keep their ends. Pure: text in, text out.

/**
 * How many tokens a text may cost, rather too many than too few: a word costs one and more with its
 * length, signs and digits up to one each, other scripts often more than one. Where the case changes back
 * and forth, as in base64, each piece is a word.
 */
export function estimateTokens(text: string): number {
  let tokens = 0
  let word = 0
  let wasLower = false
  const endWord = () => {
    if (word > 0) tokens += Math.max(1.5, 0.6 + word * 0.17)
    word = 0
  }
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    const isLower = code >= 0x61 && code <= 0x7a
    if (isLower || (code >= 0x41 && code <= 0x5a)) {
      // A capital begins a word; only the first letter of one may be the only capital.
      if (isLower !== wasLower && (wasLower || word > 1)) endWord()
      word += 1
      wasLower = isLower
      continue
    }
    endWord()
    wasLower = false
    if (code > 0x7f) tokens += 1.25
    // The blank before a word is part of it.
    else tokens += code <= 0x20 ? 0.15 : 0.9
  }
  endWord()
  return Math.ceil(tokens)
}

/** The text itself when it fits; else the longest shortened form that was found to fit. */
export function clampText(text: string, maxTokens: number): { text: string; isCut: boolean } {
  if (estimateTokens(text) <= maxTokens) return { text, isCut: false }
  return { text: clampJson(text, maxTokens) ?? clampPlain(text, maxTokens), isCut: true }
}

function clampJson(text: string, maxTokens: number): string | undefined {
  const value = parseStructure(text)
  if (value === undefined) return undefined
  const indent = /^[[{]\n/.test(text.trimStart()) ? 2 : undefined
  // From generous to mean; where even the meanest is too long, the text is cut as any other.
  for (let items = 512; items >= 1; items = Math.floor(items / 2)) {
    const short = JSON.stringify(shorten(value, items, 32 * items), undefined, indent)
    if (estimateTokens(short) <= maxTokens) return short
  }
  return undefined
}

function parseStructure(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined // it only begins like JSON
  }
}

function shorten(value: unknown, maxItems: number, maxLength: number): unknown {
  if (typeof value === "string") return cutMiddle(value, maxLength)
  if (Array.isArray(value)) {
    const kept = value.slice(0, maxItems).map((item) => shorten(item, maxItems, maxLength))
    const left = value.length - kept.length
    return left === 0 ? kept : [...kept, `… ${left} more of ${value.length}`]
  }
  if (typeof value !== "object" || value === null) return value
  const entries = Object.entries(value)
  // Records have few keys; only what is a table in disguise has hundreds.
  const kept = entries.slice(0, maxItems * 4).map(([key, each]) => [key, shorten(each, maxItems, maxLength)])
  const left = entries.length - kept.length
  if (left > 0) kept.push(["…", `${left} more of ${entries.length} keys`])
  return Object.fromEntries(kept)
}

function clampPlain(text: string, maxTokens: number): string {
  let length = Math.min(text.length, maxTokens * 4)
  for (;;) {
    const short = cutMiddle(text, length)
    const tokens = estimateTokens(short)
    if (tokens <= maxTokens || length <= 16) return short
    length = Math.min(length - 1, Math.floor((length * maxTokens) / tokens))
  }
}

/** Both ends of a text: the beginning says what it is, the end how it went. */
function cutMiddle(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const note = `…[${text.length - maxLength} characters left out]…`
  const head = Math.ceil(maxLength * 0.7)
  return `${wholeCharacters(text.slice(0, head))}${note}${wholeCharacters(text.slice(text.length - (maxLength - head)))}`
}

/** Without the halves of characters that a cut has parted. */
function wholeCharacters(text: string): string {
  return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "")
}
