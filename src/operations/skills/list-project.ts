// What a project has to run and to call: its skills, and the servers that have been generated.
import type { OperationContext } from "../context.ts"
import { findGenerated, readGenerated } from "../generated.ts"
import { type GeneratedServerSummary, listGenerated } from "../list-generated.ts"
import { listSkills, type SkillSummary } from "./list-skills.ts"

export interface ListProjectOutput {
  /** servers/ */
  directory: string
  skills: SkillSummary[]
  servers: GeneratedServerSummary[]
}

/** Lists both. A project that has neither is told what to do. */
export async function listProject(context: OperationContext): Promise<ListProjectOutput> {
  const { skills } = await listSkills(context)
  const { directory, isThere } = await findGenerated(context)
  if (!isThere && skills.length > 0) return { directory, skills, servers: [] }
  if (!isThere) await readGenerated(context)
  const listed = await listGenerated(context, {})
  return { directory, skills, servers: "servers" in listed ? listed.servers : [] }
}
