// The value of an expression that needs no running: literals, and what is put together from them. Never
// calls anything: `arg.string(…)` is recognised, not run. Hand-written, because a full parser takes ten times
// as long and a listing reads a thousand of these; what is not understood here is skipped, and named.
import { type Cursor, createCursor, expect, peek, type Source, spread, take } from "./literal-cursor.ts"
import { combine, isRecord, setMember, unary, unknown } from "./literal-values.ts"
import { endOfArgument } from "./mask-source.ts"
import { readNumber, readString, readWord } from "./read-string.ts"

export interface Reading {
  value: unknown
  /** Where something stands that only a run could tell: `args.limit.default`. */
  dynamic: string[]
}

// Nobody nests a declaration this deep; a text that does must not exhaust the stack.
const deepest = 50

// Most members are plain. One match instead of twenty calls makes a listing of a thousand skills more than twice as
// fast. What these do not fit is read step by step.
const plainMember = /([A-Za-z_$][\w$]*)\s*:\s*(?:"([^"\\\n]*)"|(-?\d+(?:\.\d+)?)|(true|false))\s*(?:,\s*|(?=\}))/y
const plainArgument = /([A-Za-z_$][\w$]*)\s*:\s*arg\.([a-z]+)\(\s*\{\s*/y
const plainArgumentEnd = /\}\s*\)\s*(?:,\s*|(?=\}))/y
const plainTexts = /\[\s*(?:"[^"\\\n]*"\s*,\s*)*(?:"[^"\\\n]*"\s*)?\]/y
const assertion = /(?:as|satisfies)\s+(?:const\b|[A-Za-z_$][\w$.]*(?:<[^(){}]*?>)?(?:\[\])*)/y

/** Reads the expression that begins at `at`. */
export function readLiteral(source: Source, at: number): Reading {
  const cursor = createCursor(source, at)
  const value = element(cursor, "")
  return { value: value === unknown ? undefined : value, dynamic: cursor.dynamic }
}

/** One value up to the comma or bracket after it. What cannot be told is noted and skipped. */
function element(cursor: Cursor, path: string): unknown {
  const start = cursor.at
  const noted = cursor.dynamic.length
  const value = expression(cursor, path)
  const next = peek(cursor)
  if (value !== unknown && (next === "" || ",)]}".includes(next))) return value
  cursor.dynamic.splice(noted)
  cursor.dynamic.push(path || "the declaration")
  cursor.at = endOfArgument(cursor.masked(), start)
  return unknown
}

function expression(cursor: Cursor, path: string): unknown {
  let value = product(cursor, path)
  for (let operator = peek(cursor); operator === "+" || operator === "-"; operator = peek(cursor)) {
    cursor.at++
    value = combine(operator, value, product(cursor, path))
  }
  return value
}

function product(cursor: Cursor, path: string): unknown {
  let value = term(cursor, path)
  for (let next = peek(cursor); ; next = peek(cursor)) {
    if (next === "*" || next === "/") {
      cursor.at++
      value = combine(next, value, term(cursor, path))
    } else if ((next !== "a" && next !== "s") || take(cursor, assertion) === undefined) return value
  }
}

function term(cursor: Cursor, path: string): unknown {
  if (cursor.depth >= deepest) return unknown
  cursor.depth++
  const value = termHere(cursor, path)
  cursor.depth--
  return value
}

function termHere(cursor: Cursor, path: string): unknown {
  const next = peek(cursor)
  switch (next) {
    case '"':
    case "'":
      return readString(cursor) ?? unknown
    case "`":
      return template(cursor, path)
    case "[":
      return takePlainTexts(cursor) ?? list(cursor, "]", (index) => `${path}[${index}]`)
    case "{":
      return members(cursor, path)
    case "(": {
      cursor.at++
      const value = expression(cursor, path)
      return expect(cursor, ")") ? value : unknown
    }
    case "-":
    case "+":
    case "!":
      cursor.at++
      return unary(next, term(cursor, path))
    default:
      return /[\d.]/.test(next) ? (readNumber(cursor) ?? unknown) : named(cursor, path)
  }
}

function template(cursor: Cursor, path: string): unknown {
  let value: unknown = ""
  for (let part = readString(cursor); ; part = readString(cursor)) {
    if (part === undefined) return unknown
    value = combine("+", value, part)
    if (cursor.text[cursor.at - 1] === "`") return value
    value = combine("+", value, expression(cursor, path))
    // The text after `${…}` is read like one that begins at its bracket.
    if (peek(cursor) !== "}") return unknown
  }
}

function list(cursor: Cursor, closing: string, pathOf: (index: number) => string): unknown {
  const values: unknown[] = []
  cursor.at++
  for (let index = 0; !expect(cursor, closing); index++) {
    const isSpread = spread(cursor)
    const value = element(cursor, pathOf(index))
    if (isSpread && Array.isArray(value)) values.push(...value)
    else if (!isSpread && value !== unknown) values.push(value)
    if (!expect(cursor, ",") && peek(cursor) !== closing) return unknown
  }
  return values
}

function members(cursor: Cursor, path: string): unknown {
  const record: Record<string, unknown> = {}
  cursor.at++
  while (!expect(cursor, "}")) {
    if (takePlainMember(cursor, record) || takePlainArgument(cursor, record)) continue
    if (spread(cursor)) {
      const value = element(cursor, path)
      if (isRecord(value)) for (const [key, member] of Object.entries(value)) setMember(record, key, member)
    } else {
      const start = cursor.at
      const key = memberName(cursor)
      if (key === undefined) return unknown
      const below = path === "" ? key : `${path}.${key}`
      // `{ name }` stands for itself; `name() { … }` is not for us to know, which `element` finds out.
      if (!expect(cursor, ":")) cursor.at = start
      const value = element(cursor, below)
      if (value !== unknown) setMember(record, key, value)
    }
    if (!expect(cursor, ",") && peek(cursor) !== "}") return unknown
  }
  return record
}

function takePlainMember(cursor: Cursor, record: Record<string, unknown>): boolean {
  plainMember.lastIndex = cursor.at
  const found = plainMember.exec(cursor.text)
  if (found === null) return false
  // By their numbers: taking a list apart costs more than the rest, as long as nothing is compiled.
  const number = found[3]
  setMember(record, found[1] as string, found[2] ?? (number === undefined ? found[4] === "true" : Number(number)))
  cursor.at = plainMember.lastIndex
  return true
}

/** `limit: arg.integer({ default: 10, min: 1 }),` */
function takePlainArgument(cursor: Cursor, record: Record<string, unknown>): boolean {
  const start = cursor.at
  plainArgument.lastIndex = start
  const found = plainArgument.exec(cursor.text)
  if (found === null) return false
  const declared: Record<string, unknown> = { kind: found[2] }
  cursor.at = plainArgument.lastIndex
  while (takePlainMember(cursor, declared));
  plainArgumentEnd.lastIndex = cursor.at
  if (!plainArgumentEnd.test(cursor.text)) {
    cursor.at = start
    return false
  }
  cursor.at = plainArgumentEnd.lastIndex
  setMember(record, found[1] as string, declared)
  return true
}

function takePlainTexts(cursor: Cursor): string[] | undefined {
  return take(cursor, plainTexts)
    ?.split('"')
    .filter((_, index) => index % 2 === 1)
}

function memberName(cursor: Cursor): string | undefined {
  const next = peek(cursor)
  if (next === '"' || next === "'") return readString(cursor)
  if (next !== "[") return readWord(cursor) ?? readNumber(cursor)?.toString()
  cursor.at++
  const value = expression(cursor, "")
  return value !== unknown && expect(cursor, "]") ? String(value) : undefined
}

const constants = new Map<string, unknown>([
  ["true", true],
  ["false", false],
  ["null", null],
  ["undefined", undefined],
])

function named(cursor: Cursor, path: string): unknown {
  const name = readWord(cursor)
  if (name === undefined) return unknown
  if (constants.has(name)) return constants.get(name)
  if (name === "arg" && expect(cursor, ".")) return argument(cursor, path)
  let value = valueOfConstant(cursor, name, path)
  while (expect(cursor, ".")) {
    const key = readWord(cursor) ?? ""
    value = isRecord(value) && Object.hasOwn(value, key) ? value[key] : unknown
  }
  return value
}

/** `arg.integer({ … })`, `arg.enum([…], { … })` → what they declare. */
function argument(cursor: Cursor, path: string): unknown {
  const kind = readWord(cursor)
  if (kind === undefined || peek(cursor) !== "(") return unknown
  const given = list(cursor, ")", (index) => (kind === "enum" && index === 0 ? `${path}.values` : path))
  if (!Array.isArray(given)) return unknown
  const values = given.find((each) => Array.isArray(each))
  return { kind, ...(values !== undefined && { values }), ...given.find(isRecord) }
}

function valueOfConstant(cursor: Cursor, name: string, path: string): unknown {
  const at = cursor.pending.includes(name) ? undefined : cursor.constant(name)
  if (at === undefined) return unknown
  const inner: Cursor = { ...cursor, at, dynamic: [], pending: [...cursor.pending, name] }
  const value = expression(inner, path)
  const isWhole = /^\s*(?:$|[;,]|[\w$}@"'`])/.test(cursor.masked().slice(inner.at, inner.at + 200))
  return isWhole && inner.dynamic.length === 0 ? value : unknown
}
