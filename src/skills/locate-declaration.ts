// Where in a file a skill declares itself.

import type { Source } from "./literal-cursor.ts"
import { maskSource, skipBlanks } from "./mask-source.ts"

export interface LocatedDeclaration extends Source {
  /** Where the first argument of `skill(…)` begins. */
  at: number
}

const exported =
  /(?:^|[;}\s])export\s+default\s+(?:\/\*.*?\*\/\s*)?(?:skill\s*(?=[<(])|([A-Za-z_$][\w$]*)\s*(?:;|\n|$))/g

// A text may speak of skills; one that speaks of nothing else is none.
const mostCandidates = 20

/** Finds `export default skill(…)`, also by way of a constant; undefined when the file has none. */
export function locateDeclaration(text: string): LocatedDeclaration | undefined {
  if (!text.includes("skill")) return undefined
  let whole: string | undefined
  const masked = () => {
    whole ??= maskSource(text)
    return whole
  }
  for (const found of text.matchAll(exported).take(mostCandidates)) {
    const end = found.index + found[0].length
    if (!isCode(text, found.index, end)) continue
    const afterName = found[1] === undefined ? end : afterSkillOf(masked(), found[1])
    const at = afterName && afterOpening(text, afterName)
    if (at === undefined) return undefined
    return { text, at, masked, constant: (name) => constantIn(masked(), name) }
  }
  return undefined
}

/** Only what stands before it tells whether it is code, and not in a string or a comment. */
function isCode(text: string, start: number, end: number): boolean {
  const before = text.slice(0, start)
  // On a line of its own it can only be in what spans lines.
  if (text[start] === "\n" && !before.includes("`") && !before.includes("/*")) return true
  return /export\s+default\s/.test(maskSource(text.slice(0, end)).slice(start))
}

/** `const name = skill(…)` … `export default name` */
function afterSkillOf(masked: string, name: string): number | undefined {
  const statement = new RegExp(`(?:^|[;}\\s])(?:const|let|var)\\s+${quoted(name)}\\s*=\\s*skill\\s*(?=[<(])`)
  const found = statement.exec(masked)
  return found === null ? undefined : found.index + found[0].length
}

/** Just inside the bracket of the call; type parameters may stand before it. */
function afterOpening(text: string, at: number): number | undefined {
  let depth = 0
  for (let next = at; next < text.length; next++) {
    const character = text[next]
    if (character === "<") depth++
    else if (character === ">" && text[next - 1] !== "=") depth--
    else if (character === "(" && depth === 0) return skipBlanks(text, next + 1)
  }
  return undefined
}

function constantIn(masked: string, name: string): number | undefined {
  const statement = new RegExp(`(?:^|[;\\n])\\s*(?:export\\s+)?const\\s+${quoted(name)}\\s*(?::[^=\\n]+)?=(?![=>])`)
  const found = statement.exec(masked)
  return found === null ? undefined : found.index + found[0].length
}

function quoted(name: string): string {
  return name.replaceAll("$", "\\$")
}
