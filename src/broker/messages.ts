// What the broker sends to a script, what both sides call it, and how a message of either side travels: as a line of
// JSON, and behind it its large texts as they are, since making JSON of 50 MB and reading it takes several times as
// long as sending them. Imports types alone, so that the guest can be one plain file.
import type { ErrorDescription } from "../errors.ts"

export interface Progress {
  progress: number
  total?: number
  message?: string
}

/** The guest trusts these. */
export type BrokerMessage =
  | { type: "welcome"; version: number; texts?: true }
  | { type: "result"; id: number; value: unknown }
  | { type: "error"; id: number; error: ErrorDescription }
  | ({ type: "progress"; id: number } & Progress)
  | { type: "refused"; error: ErrorDescription }

export interface SearchOptions {
  /** How much is said of each tool; one line when absent. */
  detail?: "name" | "description" | "full"
  /** Only tools of this server. */
  server?: string
  /** At most so many. */
  limit?: number
}

/** A tool or a skill that was found. */
export interface FoundTool {
  kind: "tool" | "skill"
  /** server.tool, or the skill's name. */
  name: string
  server?: string
  /** As the server calls it. */
  tool?: string
  description?: string
  /** With detail "full": what `cat` prints. */
  text?: string
}

/** Where in a message a text belongs that follows its line, and how many bytes it has. */
export interface TextPlace {
  at: (string | number)[]
  bytes: number
}

const largeLength = 64 << 10
// Large texts are few and not far down. Whatever is not found goes as JSON.
const maxLooks = 64

/**
 * A message as it travels: its line, and the texts that follow it, of which the line says where they belong.
 * `content` is what may be large in it.
 */
export function packMessage(message: object, content: unknown): string[] {
  if (!holdsLarge(content)) return [`${JSON.stringify(message)}\n`]
  const places: TextPlace[] = []
  const texts: string[] = []
  let left = maxLooks
  const lift = (value: unknown, at: TextPlace["at"]): unknown => {
    if (typeof value === "string") {
      // Half a character is known to JSON, but not to UTF-8.
      if (value.length < largeLength || !value.isWellFormed()) return value
      places.push({ at, bytes: Buffer.byteLength(value) })
      texts.push(value)
      return ""
    }
    if (Array.isArray(value)) return value.map((item, index) => (left-- > 0 ? lift(item, [...at, index]) : item))
    if (!isPlain(value)) return value
    const entries = Object.entries(value).map(([key, member]) => [
      key,
      left-- > 0 ? lift(member, [...at, key]) : member,
    ])
    return Object.fromEntries(entries)
  }
  const rest = lift(message, []) as object
  return [`${JSON.stringify(texts.length === 0 ? rest : { ...rest, texts: places })}\n`, ...texts]
}

/** Puts texts back to their places. False when one of them is none. */
export function unpackMessage(message: unknown, places: readonly TextPlace[], texts: readonly string[]): boolean {
  return places.every(({ at }, index) => {
    let holder = message
    for (const key of at.slice(0, -1)) holder = isHolder(holder) && Object.hasOwn(holder, key) ? holder[key] : undefined
    const key = at.at(-1)
    if (key === undefined || !isHolder(holder) || !Object.hasOwn(holder, key) || holder[key] !== "") return false
    holder[key] = texts[index]
    return true
  })
}

/** Most messages hold nothing large, and this is all that they pay. */
function holdsLarge(content: unknown): boolean {
  if (typeof content === "string") return content.length >= largeLength
  return typeof content === "object" && content !== null && look(content, maxLooks) < 0
}

/** Tells with -1 that something large is in there, else how many looks are left. */
function look(value: object, looks: number): number {
  let left = looks
  for (const key in value) {
    if (--left < 0) return 0
    const member = (value as Record<string, unknown>)[key]
    if (typeof member === "string") {
      if (member.length >= largeLength) return -1
    } else if (typeof member === "object" && member !== null) {
      left = look(member, left)
      if (left <= 0) return left
    }
  }
  return left
}

/** Made of members and nothing else: JSON asks others what they want to be. */
function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false
  return (
    Object.getPrototypeOf(value) === Object.prototype && typeof (value as { toJSON?: unknown }).toJSON !== "function"
  )
}

function isHolder(value: unknown): value is Record<string | number, unknown> {
  return typeof value === "object" && value !== null
}
