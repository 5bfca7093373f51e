// SKILL.md, as Agent Skills have it: YAML between two lines of dashes, then instructions in Markdown.
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
export async function readFrontMatter(text: string, folder: string): Promise<FrontMatter> {
  const found = matter.exec(text)
  if (found === null) {
    return { name: undefined, description: "", instructions: text, problems: ["SKILL.md has no front matter"] }
  }
  const problems: string[] = []
  let data: unknown
  const yaml = found[1] ?? ""
  try {
    data = plainFields(yaml) ?? (await parseYaml(yaml))
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

/**
 * The fields of a text in which each line is a name and plain words, as most are; undefined for all else that YAML can
 * be. A thousand of them are read ten times as fast, and the parser need not be loaded.
 */
export function plainFields(yaml: string): Record<string, string> | undefined {
  const fields = new Map<string, string>()
  for (const line of yaml.replace(/\r?\n$/, "").split("\n")) {
    const [, key = "", value = ""] = /^([A-Za-z][\w-]*): +([A-Za-z].*)$/.exec(line.replace(/ *\r?$/, "")) ?? []
    if (key === "" || fields.has(key) || /:(?:\s|$)|\s#|\t|^(?:true|false|null)$/i.test(value)) return undefined
    fields.set(key, value)
  }
  return Object.fromEntries(fields)
}

async function parseYaml(yaml: string): Promise<unknown> {
  const { parse } = await import("yaml")
  // Aliases can make a small text a huge value; a name and a description need none.
  return parse(`${yaml}\n`, { maxAliasCount: 0, logLevel: "error" })
}
