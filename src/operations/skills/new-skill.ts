// A new skill: a small one that runs as it is, to be changed.
import { z } from "zod"
import { newSkillText } from "../../skills/skill-text.ts"
import type { OperationContext } from "../context.ts"
import { readProject } from "./project.ts"
import { checkName, writeSkill } from "./write-skill.ts"

export const newSkillInput = z.object({
  name: z.string().describe("lower-case words with hyphens"),
  description: z.string().optional().describe("what it does, in a sentence"),
  force: z.boolean().default(false).describe("write over a skill of that name"),
})

export type NewSkillInput = z.input<typeof newSkillInput>

export interface NewSkillOutput {
  name: string
  /** Seen from the project's folder. */
  path: string
  directory: string
}

/** Writes skills/<name>.ts. */
export async function newSkill(
  context: OperationContext,
  input: z.input<typeof newSkillInput>,
): Promise<NewSkillOutput> {
  const { name, description, force } = newSkillInput.parse(input)
  checkName(name)
  const { directory } = await readProject(context)
  const path = await writeSkill(directory, name, newSkillText(name, description), { force })
  return { name, path, directory }
}
