// SKILL.md, as Agent Skills have it: YAML between two lines of dashes, then instructions in Markdown.
import { parse } from "yaml"
import { problemWithDescription, problemWithName } from "./skill-name.ts"

export interface FrontMatter {
  name: string | undefined
  description: string
  /** What follows the front matter. */
  instructions: string
  problems: string[]
}

const matter = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)(?:^|\n)---[ \t]*(?:\r?\n|$)/

/** Reads the text of a SKILL.md that stands in the folder `folder`. */
export function readFrontMatter(text: string, folder: string): FrontMatter {
  const found = matter.exec(text)
  if (found === null) {
    return { name: undefined, description: "", instructions: text, problems: ["SKILL.md has no front matter"] }
  }
  const problems: string[] = []
  let data: unknown
  try {
    // Aliases can make a small text a huge value; a name and a description need none.
    data = parse(found[1] ?? "", { maxAliasCount: 0, logLevel: "error" })
  } catch (error) {
    const [reason] = String(error instanceof Error ? error.message : error).split("\n")
    problems.push(`the front matter of SKILL.md is not valid YAML: ${reason}`)
  }
  const { name, description } = (typeof data === "object" && data !== null ? data : {}) as Record<string, unknown>
  if (problems.length === 0) {
    const wrong = problemWithName(String(name ?? ""))
    if (wrong !== undefined) problems.push(`SKILL.md: ${wrong}`)
    else if (name !== folder) problems.push(`SKILL.md: name is '${name}', but its folder is '${folder}'`)
    const unfit = problemWithDescription(description)
    if (unfit !== undefined) problems.push(`SKILL.md: ${unfit}`)
  }
  return {
    name: typeof name === "string" ? name : undefined,
    description: typeof description === "string" ? description.trim() : "",
    instructions: text.slice(found[0].length),
    problems,
  }
}
