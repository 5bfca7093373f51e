// One skill for a reader: what it does and how it is called, or its source. It is not run.
import { join } from "node:path"
import type { JsonSchema } from "../../catalog.ts"
import { McpExecError } from "../../errors.ts"
import type { SkillDeclaration } from "../../guest/skill-declaration.ts"
import { describeSkill } from "../../guest/skill-usage.ts"
import { requireSkill, type Skill } from "../../skills/find-skills.ts"
import { inputSchemaOf } from "../../skills/input-schema.ts"
import { readSmallText } from "../../skills/read-skill.ts"
import type { OperationContext } from "../context.ts"
import { readProject } from "./project.ts"

export interface ShowSkillInput {
  name: string
  /** The file itself. */
  source: boolean
}

export interface ShowSkillOutput extends Omit<Skill, "declaration" | "instructions"> {
  declaration: SkillDeclaration
  /** Of a skill that declares its arguments in code: the schema of the object that holds them. */
  inputSchema?: JsonSchema
  text: string
}

/** Shows a skill. Throws when there is none of that name. */
export async function showSkill(context: OperationContext, { name, source }: ShowSkillInput): Promise<ShowSkillOutput> {
  const { directory } = await readProject(context)
  const { instructions, ...skill } = await requireSkill(directory, name)
  const text = source ? sourceOf(directory, skill.script ?? skill.path) : described({ ...skill, instructions })
  return { ...skill, ...(skill.form === "declared" && { inputSchema: inputSchemaOf(skill.declaration) }), text }
}

function described({
  declaration,
  form,
  path,
  script,
  instructions = "",
  problems,
}: Omit<Skill, "instructions"> & { instructions: string | undefined }): string {
  const text = instructions.trim()
  // Instructions alone have no usage line: they are what there is to read.
  const first = script === undefined ? `${declaration.name}: ${declaration.description}` : describeSkill(declaration)
  const notes = problems.map((problem) => `Note: ${problem}`)
  if (text === "") return [first, ...notes, ""].join("\n")
  // A declaration says enough to run a skill; of other scripts only the instructions know how they are meant.
  return [first, ...notes, ...(form === "declared" ? [`More: ${path}`] : ["", text]), ""].join("\n")
}

function sourceOf(project: string, path: string): string {
  const read = readSmallText(join(project, path))
  if ("text" in read) return read.text
  throw new McpExecError("E_STATE", `${path} is not shown: ${read.problem}`, { hint: "Open it in an editor." })
}
