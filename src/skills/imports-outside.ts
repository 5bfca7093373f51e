// What a skill loads that is not part of it. An approval covers a skill's own files: what it loads from elsewhere
// could change without anybody noticing.
import { posix } from "node:path"
import { maskSource } from "./mask-source.ts"
import { skillsFolder } from "./skill-files.ts"

export interface ForeignImport {
  /** Seen from skills/. */
  file: string
  specifier: string
}

const script = /\.[cm]?[jt]sx?$/
const loading = /(?:\bfrom|\bimport|\b(?:import|require|require\s*\.\s*resolve)\s*\()\s*(?=["'`])/g
const place = /^(?:\.{1,2}(?:[/\\]|$)|[/\\]|[A-Za-z]:[/\\]|(?:file|https?):)/

/** The files in `files`, seen from skills/, that import something outside of them: not a package, and not servers/. */
export function importsOutside(files: ReadonlyMap<string, string>): ForeignImport[] {
  return [...files].flatMap(([file, text]) => {
    if (!script.test(file)) return []
    return specifiersIn(text)
      .filter((specifier) => place.test(specifier) && !isOwn(file, specifier))
      .map((specifier) => ({ file, specifier }))
  })
}

/** What a script names to be loaded. */
function specifiersIn(text: string): string[] {
  return [...maskSource(text).matchAll(loading)].flatMap(({ index, 0: found }) => {
    const rest = text.slice(index + found.length)
    return /^(["'`])(.*?)\1/.exec(rest)?.[2] ?? []
  })
}

/** In the skill's folder, or generated. A skill that is one file has nothing but itself. */
function isOwn(file: string, specifier: string): boolean {
  if (!specifier.startsWith(".")) return false
  const [top = "", ...below] = file.split("/")
  const path = posix.join(skillsFolder, posix.dirname(file), specifier.replaceAll("\\", "/"))
  return path.startsWith("servers/") || (below.length > 0 && path.startsWith(`${skillsFolder}/${top}/`))
}
