// Plain scripts describe themselves in the comment at their top, in sections: `SKILL: Name`, `DESCRIPTION:`,
// `WHEN TO USE:`, `CLI ARGUMENTS:` with a line `--flag  text (required)` for each, `USAGE:`, `REQUIREMENTS:`.
import type { ArgumentDeclaration } from "../guest/skill-declaration.ts"
import type { ReadDeclaration } from "./read-declaration.ts"

const comment = /^\uFEFF?(?:#![^\n]*\n)?\s*(?:\/\*([\s\S]*?)\*\/|((?:\/\/[^\n]*(?:\n[ \t]*|$))+))/
const section =
  /^(SKILL|SCRIPT|DESCRIPTION|WHEN TO USE|CLI ARGUMENTS|ARGUMENTS|USAGE|EXAMPLES?|REQUIREMENTS|RETURNS):[ \t]*(.*)$/
const option = /^--?([A-Za-z][\w-]*)(?:[ =](<[^>]*>|\[[^\]]*\]|[A-Z][A-Z_]*\b))?(?:\s*[-–:]\s+|\s+|$)(.*)$/

/** Reads the header of a script that declares nothing in code. Without one, its first words describe it. */
export function readHeader(text: string, name: string): ReadDeclaration {
  const lines = commentLines(text)
  const sections = sectionsOf(lines)
  const get = (title: string) => (sections.get(title) ?? []).filter((line) => line !== "")
  if (sections.size === 0) {
    const description = lines.find((line) => line !== "") ?? ""
    return { form: "none", declaration: { name, description }, problems: [] }
  }
  const title = (get("SKILL")[0] ?? get("SCRIPT")[0] ?? "").trim()
  const description = get("DESCRIPTION").join(" ") || title
  const whenToUse = get("WHEN TO USE").map(withoutBullet).join("; ")
  const args = argumentsOf([...get("CLI ARGUMENTS"), ...get("ARGUMENTS")])
  const examples = [...get("USAGE"), ...get("EXAMPLE"), ...get("EXAMPLES")].map((line) => line.replace(/^[$>]\s+/, ""))
  const returns = get("RETURNS").join(" ")
  return {
    form: "header",
    declaration: {
      name,
      description,
      ...(whenToUse !== "" && { whenToUse }),
      ...(Object.keys(args).length > 0 && { args }),
      ...(returns !== "" && { returns }),
      ...(examples.length > 0 && { examples }),
    },
    problems: description === "" ? ["description is missing"] : [],
  }
}

/** The lines of the first comment, without what makes them one. */
function commentLines(text: string): string[] {
  const found = comment.exec(text)
  if (found === null) return []
  const [, block, lines = ""] = found
  const raw = block === undefined ? lines.replace(/^[ \t]*\/\/+ ?/gm, "") : block.replace(/^[ \t]*\*+(?!\/) ?/gm, "")
  return raw.split("\n").map((line) => line.trim())
}

function sectionsOf(lines: readonly string[]): Map<string, string[]> {
  const sections = new Map<string, string[]>()
  let current: string[] | undefined
  for (const line of lines) {
    const title = section.exec(line)
    if (title === null) current?.push(line)
    else {
      current = title[2] === "" ? [] : [title[2] as string]
      sections.set(title[1] as string, current)
    }
  }
  return sections
}

function argumentsOf(lines: readonly string[]): Record<string, ArgumentDeclaration> {
  const found = new Map<string, string>()
  let last: string | undefined
  for (const line of lines.map(withoutBullet)) {
    const match = option.exec(line)
    if (match !== null) {
      last = match[1] as string
      found.set(last, match[3] ?? "")
    } else if (last !== undefined) found.set(last, `${found.get(last)} ${line}`)
  }
  return Object.fromEntries([...found].map(([name, text]) => [name, declare(text.trim())]))
}

/** `text (required)`, `text (default: 10)` */
function declare(text: string): ArgumentDeclaration {
  const note = /\s*\(([^()]*)\)\s*$/.exec(text)
  const words = note?.[1] ?? ""
  const value = /\bdefaults?(?::| to|=)?\s*["'`]?([^"'`,;]+?)["'`]?\s*$/i.exec(words)?.[1]
  const required = /\brequired\b/i.test(words) && !/\bnot required\b/i.test(words)
  const isNote = value !== undefined || /\b(required|optional)\b/i.test(words)
  const description = isNote ? text.slice(0, note?.index) : text
  return {
    kind: "string",
    ...(description !== "" && { description }),
    ...(required && { required }),
    ...(value !== undefined && { default: value }),
  }
}

function withoutBullet(line: string): string {
  return line.replace(/^[-*•]\s+/, "")
}
