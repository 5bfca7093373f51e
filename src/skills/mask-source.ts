// TypeScript without a parser for it: a text in which nothing but code is left, so that a search for a
// statement cannot find it in a string or a comment.

const opening = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"\\\n]|\\[\s\S])*"?|'(?:[^'\\\n]|\\[\s\S])*'?|`|\//g
const regularExpression = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y
// After these a slash begins a regular expression; after anything else it divides.
const beforeExpression = /(?:^|[(,=:[!&|?{};+\-*%~^<>]|\b(?:return|typeof|case|in|of|do|else|await|yield))\s*$/

/** The text with the insides of strings, comments and regular expressions blanked out: same length, same lines. */
export function maskSource(text: string): string {
  let masked = ""
  let done = 0
  opening.lastIndex = 0
  for (let match = opening.exec(text); match !== null; match = opening.exec(text)) {
    const at = match.index
    const [found] = match
    let end = at + found.length
    if (found === "`") end = endOfTemplate(text, at + 1)
    else if (found === "/") end = endOfExpression(text, at)
    if (end === at) continue
    masked += text.slice(done, at) + hide(text.slice(at, end))
    done = end
    opening.lastIndex = end
  }
  return masked + text.slice(done)
}

/** Blanks of the same length; the line breaks stay. */
export function blank(text: string): string {
  return text.replace(/[^\n]/g, " ")
}

/** Where the expression that begins at `start` ends: before a comma, a closing bracket or the end of its statement. */
export function endOfArgument(masked: string, start: number): number {
  let depth = 0
  for (let at = start; at < masked.length; at++) {
    const character = masked[at] as string
    if ("([{".includes(character)) depth++
    else if (")]}".includes(character) && --depth < 0) return at
    else if (depth === 0 && (character === "," || character === ";")) return at
  }
  return masked.length
}

/** The first position from `at` on that is neither white space nor in a comment. */
export function skipBlanks(text: string, at: number): number {
  for (let next = at; ; next++) {
    const code = text.charCodeAt(next)
    if (code === space || code === newline || code === tab || code === carriageReturn) continue
    if (code !== slash) return next
    const second = text[next + 1]
    if (second !== "/" && second !== "*") return next
    const end = second === "/" ? text.indexOf("\n", next) : text.indexOf("*/", next + 2) + 1
    if (end <= next) return text.length
    next = end
  }
}

const [space, newline, tab, carriageReturn, slash] = [32, 10, 9, 13, 47]

function hide(token: string): string {
  const quote = token[0] as string
  if (quote === "/") return blank(token)
  const isClosed = token.length > 1 && token.endsWith(quote)
  return quote + blank(token.slice(1, isClosed ? -1 : undefined)) + (isClosed ? quote : "")
}

/** Just after a template's closing mark. What stands in `${…}` may hold strings, blocks and templates itself. */
function endOfTemplate(text: string, start: number): number {
  // What is open around the position, innermost last: a list, because nesting can be as deep as the text is long.
  const open = ["`"]
  for (let at = start; at < text.length; at++) {
    const character = text[at] as string
    if (open.at(-1) === "`") {
      if (character === "\\") at++
      else if (character === "`") open.pop()
      else if (character === "$" && text[at + 1] === "{") open.push(text[++at] as string)
    } else if (character === '"' || character === "'") at = endOfString(text, at)
    else if (character === "`" || character === "{") open.push(character)
    else if (character === "}") open.pop()
    if (open.length === 0) return at + 1
  }
  return text.length
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === "\\") at++
    else if (text[at] === text[start] || text[at] === "\n") return at
  }
  return text.length
}

function endOfExpression(text: string, at: number): number {
  if (!beforeExpression.test(text.slice(Math.max(0, at - 20), at))) return at
  regularExpression.lastIndex = at
  return at + (regularExpression.exec(text)?.[0].length ?? 0)
}
