// What `ls` prints: a line each. What agents read costs tokens, so there are no columns.
import type { OperationContext } from "../../operations/context.ts"
import type { GeneratedOffer, GeneratedServerSummary, GeneratedToolSummary } from "../../operations/list-generated.ts"
import type { ListProjectOutput } from "../../operations/skills/list-project.ts"
import type { SkillSummary } from "../../operations/skills/list-skills.ts"
import { printable } from "../../printable.ts"
import type { Output } from "../output.ts"
import { firstLine, shortDescription } from "../text.ts"

/** Lists everything, one kind of it, or what a server offers. */
export async function printList(context: OperationContext, output: Output, word: string | undefined): Promise<void> {
  const result = await list(context, word)
  if (output.json) output.printJson(result)
  else if ("tools" in result) {
    const lines = [...result.tools.map(toolLine), ...otherLines(result.server, result)]
    if (lines.length === 0) output.notice(`Server '${printable(result.server)}' has no tools.\n`)
    output.print(lines.join(""))
  } else {
    const { skills = [], servers = [] } = result as Partial<ListProjectOutput>
    const lines = [...skills.map(skillLine), ...servers.map(serverLine)]
    if (lines.length === 0) output.notice(`There are no ${word === "skills" ? "skills" : "generated servers"}.\n`)
    output.print(lines.join(""))
  }
}

async function list(context: OperationContext, word: string | undefined) {
  if (word === undefined) {
    const { listProject } = await import("../../operations/skills/list-project.ts")
    return await listProject(context)
  }
  const { listGenerated } = await import("../../operations/list-generated.ts")
  if (word === "servers") return await listGenerated(context, {})
  if (word !== "skills") return await listGenerated(context, { server: word })
  const { listSkills } = await import("../../operations/skills/list-skills.ts")
  return await listSkills(context)
}

function skillLine({ name, description }: SkillSummary): string {
  return line([name, "skill", shortDescription(description)])
}

function serverLine({ name, tools, prompts, resources, description = "" }: GeneratedServerSummary): string {
  const counts = [
    count(tools, "tool"),
    ...(prompts === undefined ? [] : [count(prompts, "prompt")]),
    ...(resources === undefined ? [] : [count(resources, "resource")]),
  ]
  return line([name, counts.join(", "), shortDescription(description)])
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`
}

/** Prompts and resources, in the form in which a script asks for them. */
function otherLines(server: string, { prompts = [], resources }: GeneratedOffer): string[] {
  const ofPrompts = prompts.map((prompt) => line([`${prompt.export}(prompt)`, shortDescription(prompt.description)]))
  if (resources === undefined) return ofPrompts
  const { count: total, listed, templates = {} } = resources
  const known = Object.entries(listed ?? {}).map(([uri, text]) =>
    line([`readResource("${uri}")`, shortDescription(text)]),
  )
  const many = `readResource(uri)  ${count(total, "resource")}: mcp-exec cat ${server}.readResource`
  const ofTemplates = Object.entries(templates).map(([uri, { export: exported, description }]) => {
    return line([`${exported ?? "readResource"}(${uri})`, shortDescription(description)])
  })
  return [...ofPrompts, ...(listed === undefined && total > 0 ? [line([many])] : known), ...ofTemplates]
}

/** The function's name, then the tool's where it is another. */
function toolLine({ name, export: exported, tags, description }: GeneratedToolSummary): string {
  const notes = [...(name === exported ? [] : [name]), ...tags]
  return line([notes.length === 0 ? exported : `${exported}(${notes.join(", ")})`, shortDescription(description)])
}

function line(parts: string[]): string {
  const text = parts.filter((part) => part !== "").join("  ")
  return `${firstLine(text)}\n`
}
