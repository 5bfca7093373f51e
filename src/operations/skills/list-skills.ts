// Which skills a project has. None of them is run.
import type { SkillDeclaration } from "../../guest/skill-declaration.ts"
import { type ListedSkill, listSkills as readSkills } from "../../skills/find-skills.ts"
import type { OperationContext } from "../context.ts"
import { readProject } from "./project.ts"

export interface SkillSummary {
  name: string
  description: string
  /** Seen from the project's folder. */
  path: string
  servers?: readonly string[]
  problems?: string[]
}

export interface ListSkillsOutput {
  /** The project's folder. */
  directory: string
  skills: SkillSummary[]
  /** What is in skills/ and was left out, and why. */
  skipped: string[]
}

/** Lists the skills of the project, and warns of what was left out. */
export async function listSkills(context: OperationContext): Promise<ListSkillsOutput> {
  const { directory } = await readProject(context)
  const { skills, skipped } = await readSkills(directory, context.cacheDirectory)
  for (const reason of skipped) context.log("warning", `left out ${reason}`)
  return { directory, skills: skills.map(summarize), skipped }
}

/** What a list says of a skill. */
export function summarize({ name, path, declaration, problems }: ListedSkill): SkillSummary {
  const { description, servers }: SkillDeclaration = declaration
  return {
    name,
    description,
    path,
    ...(servers !== undefined && { servers }),
    ...(problems.length > 0 && { problems }),
  }
}
