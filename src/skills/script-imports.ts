// The import statements of a script: where they stand, what they name, and how they read from another folder.
import { dirname, join, relative, sep } from "node:path"

export interface ImportStatement {
  start: number
  end: number
  /** As it is written, without what surrounds it. */
  text: string
  specifier: string
  /** The local name of each imported name; `*` stands for the whole module. */
  names: Map<string, string>
}

const statement =
  /(?<=^|[;\n])[ \t]*import\b(?!\s*[(.])(?:\s*(?<clause>[^;"'`()]*?)\s*from)?\s*(?<specifier>"[^"\n]*"|'[^'\n]*')(?:\s*with\s*\{[^}]*\})?[ \t]*;?/g

const required =
  /(?<=^|[;\n])[ \t]*(?:const|let|var)\s*(?<clause>[\w$]+|\{[^}=]*\})\s*(?::[^=;\n]+)?=\s*(?:await\s+import|require)\s*\(\s*(?=["'])/g

/** What a script takes of a module with `require`, or of one that it imports as it runs. */
export function requiresOf(code: string, masked: string): Pick<ImportStatement, "start" | "specifier" | "names">[] {
  return [...masked.matchAll(required)].map(({ index: start, 0: text, groups }) => {
    const specifier = /^(["'])([^"'\n]*)\1/.exec(code.slice(start + text.length))?.[2] ?? ""
    const clause = groups?.clause ?? ""
    // `{ a: b }` names what an import writes as `{ a as b }`; a name alone is the whole module.
    return {
      start,
      specifier,
      names: namesOf(clause.startsWith("{") ? clause.replaceAll(":", " as ") : `* as ${clause}`),
    }
  })
}

/** All imports, by the script's text and the same text with nothing but code in it. */
export function importsOf(code: string, masked: string): ImportStatement[] {
  return [...masked.matchAll(statement)].map((found) => {
    const start = found.index
    const end = start + found[0].length
    const text = code.slice(start, end)
    const specifier = /(["'])([^"'\n]*)\1(?:\s*with\s*\{[^}]*\})?\s*;?\s*$/.exec(text)?.[2] ?? ""
    return { start, end, text: text.trim(), specifier, names: namesOf(found.groups?.clause ?? "") }
  })
}

/** A relative specifier, as it must be written in a file in another folder. */
export function movedSpecifier(specifier: string, from: string, toFolder: string): string {
  if (!/^\.{1,2}\//.test(specifier)) return specifier
  const path = relative(toFolder, join(dirname(from), specifier)).replaceAll(sep, "/")
  return path.startsWith(".") ? path : `./${path}`
}

/** `a, { b as c }, * as d` → default → a, b → c, * → d */
function namesOf(clause: string): Map<string, string> {
  const names = new Map<string, string>()
  const braces = /\{([^}]*)\}/.exec(clause)
  for (const part of (braces?.[1] ?? "").split(",")) {
    const [, imported, local] = /^\s*(?:type\s+)?([\w$]+)(?:\s+as\s+([\w$]+))?\s*$/.exec(part) ?? []
    if (imported !== undefined) names.set(imported, local ?? imported)
  }
  const rest = clause.replace(/\{[^}]*\}/, "").replace(/^\s*type\s+/, "")
  const whole = /\*\s*as\s+([\w$]+)/.exec(rest)?.[1]
  if (whole !== undefined) names.set("*", whole)
  const standard = /^\s*([\w$]+)\s*(?:,|$)/.exec(rest)?.[1]
  if (standard !== undefined) names.set("default", standard)
  return names
}
