// A script ends when nothing is left to do; a skill ends with its function. What a script starts and does not wait
// for must therefore be waited for in a skill: `main()`, `load().then(print)`, `(async () => { … })()`.
import { maskSource } from "./mask-source.ts"
import { type Replacement, replaceAll } from "./script-arguments.ts"

const asyncName = /\basync\s+function\s*\*?\s*([\w$]+)|(?:\bconst|\blet|\bvar)\s+([\w$]+)\s*=\s*async\b/g
const beginning = /^(if\s*\([^()]*\)\s*\{?\s*)?(void\s+)?/
const keyword = /^(?:const|let|var|return|await|if|for|while|do|function|class|throw|try|switch|async)\b/

/** The statements with an `await` before each at the top level that begins work and would not wait for it. */
export function awaitCalls(code: string): string {
  const masked = maskSource(code)
  const names = new Set([...masked.matchAll(asyncName)].map(([, declared, assigned]) => declared ?? assigned))
  const replacements = statementsOf(masked).flatMap(({ start, text, outer }): Replacement[] => {
    const [, condition = "", sign = ""] = beginning.exec(text) ?? []
    const rest = text.slice(condition.length + sign.length)
    const isNamed = names.has(/^([\w$]+)\s*\(/.exec(rest)?.[1])
    const isChain = /\.\s*(?:then|catch|finally)\s*\(/.test(outer) && !keyword.test(rest)
    if (!isNamed && !isChain && !/^\(\s*async\b/.test(rest)) return []
    const at = start + condition.length
    return [{ start: at, end: at + sign.length, text: "await " }]
  })
  return replaceAll(code, replacements)
}

interface Statement {
  start: number
  text: string
  /** Without what is inside brackets. */
  outer: string
}

/** The statements at the top level. One begins after a semicolon, or on a line that does not go on with the last. */
function statementsOf(masked: string): Statement[] {
  const starts: number[] = []
  let depth = 0
  let isFresh = true
  let outer = ""
  for (let at = 0; at < masked.length; at++) {
    const character = masked[at] as string
    if (depth === 0 && isFresh && /\S/.test(character)) {
      if (!/[.,?:+*/%&|=<>)\]}]/.test(character)) starts.push(at)
      isFresh = false
    }
    if (")]}".includes(character)) depth--
    outer += depth === 0 ? character : " "
    if ("([{".includes(character)) depth++
    if (depth === 0 && (character === ";" || character === "\n")) isFresh = true
  }
  return starts.map((start, index) => {
    const end = starts[index + 1] ?? masked.length
    return { start, text: masked.slice(start, end), outer: outer.slice(start, end) }
  })
}
