// One skill for a reader: what it does and how it is called, or its source. It is not run.
import { join } from "node:path"
import { McpExecError } from "../../errors.ts"
import type { SkillDeclaration } from "../../guest/skill-declaration.ts"
import { describeSkill } from "../../guest/skill-usage.ts"
import { readSmallText, requireSkill, type Skill } from "../../skills/find-skills.ts"
import type { OperationContext } from "../context.ts"
import { readProject } from "./project.ts"

export interface ShowSkillInput {
  name: string
  /** The file itself. */
  source: boolean
}

export interface ShowSkillOutput extends Omit<Skill, "declaration" | "instructions"> {
  declaration: SkillDeclaration
  text: string
}

/** Shows a skill. Throws when there is none of that name. */
export async function showSkill(context: OperationContext, { name, source }: ShowSkillInput): Promise<ShowSkillOutput> {
  const { directory } = await readProject(context)
  const { instructions, ...skill } = requireSkill(directory, name)
  const text = source ? sourceOf(directory, skill.script ?? skill.path) : described({ ...skill, instructions })
  return { ...skill, text }
}

function described({
  declaration,
  script,
  instructions,
  problems,
}: Omit<Skill, "instructions"> & { instructions: string | undefined }): string {
  const notes = problems.map((problem) => `Note: ${problem}`)
  // Instructions alone have no usage line: they are what there is to read.
  if (script === undefined) {
    return [`${declaration.name}: ${declaration.description}`, ...notes, "", (instructions ?? "").trim(), ""].join("\n")
  }
  return [describeSkill(declaration), ...notes, ""].join("\n")
}

function sourceOf(project: string, path: string): string {
  const read = readSmallText(join(project, path))
  if ("text" in read) return read.text
  throw new McpExecError("E_STATE", `${path} is not shown: ${read.problem}`, { hint: "Open it in an editor." })
}
