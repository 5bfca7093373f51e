// A script's exports: inside a function there are none, so they become plain declarations. The one that is the
// run, `main` or the default, is called at the end.
import { type NamedArgument, type Replacement, splitNames } from "./script-arguments.ts"

export interface OpenedExports {
  /** The function that is the run, by its name in the body. */
  entrance?: string
  /** What it takes. */
  parameters: NamedArgument[]
  replacements: Replacement[]
}

const list = /(?<=^|[;\n])[ \t]*export\s*\{[^}]*\}(?!\s*from)[ \t]*;?/g
const declaration =
  /(?<=^|[;\n])[ \t]*export\s+(?![{*])(default\s+)?(?=(?:(?:async\s+)?function\b\s*\*?\s*([\w$]*)|const\s+(main)\b)?)/g

export function openExports(code: string, masked: string): OpenedExports {
  const replacements = [...masked.matchAll(list)].map(({ index, 0: text }) => ({
    start: index,
    end: index + text.length,
    text: "",
  }))
  let entrance: string | undefined
  let parameters: NamedArgument[] = []
  for (const { index, 0: text, 1: isDefault, 2: named, 3: constant } of masked.matchAll(declaration)) {
    const end = index + text.length
    const name = named || constant
    const needsName = isDefault !== undefined && !name
    replacements.push({ start: index, end, text: needsName ? "const main = " : "" })
    const isRun = name === "main" || (isDefault !== undefined && entrance !== "main" && isFunction(masked.slice(end)))
    if (!isRun) continue
    entrance = name ?? "main"
    parameters = parametersAt(code, masked, end)
  }
  // A script that starts itself when it is the one that runs must not be started twice.
  if (/\bimport\s*\.\s*meta\s*\.\s*main\b/.test(masked)) return { parameters: [], replacements }
  return { ...(entrance !== undefined && { entrance }), parameters, replacements }
}

function isFunction(rest: string): boolean {
  return /^(?:async\s+)?(?:function\b|\([^)]*\)\s*(?::[^=]+)?=>|[\w$]+\s*=>)/.test(rest)
}

function parametersAt(code: string, masked: string, from: number): NamedArgument[] {
  const opening = masked.indexOf("(", from)
  const closing = masked.indexOf(")", opening)
  if (opening < 0 || closing < 0) return []
  return splitNames(code.slice(opening + 1, closing)).filter((each) => each !== undefined)
}
