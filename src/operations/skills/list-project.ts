// What a project has to run and to call: its skills, and the servers that have been generated.
import type { OperationContext } from "../context.ts"
import { findGenerated, type Generated, readGenerated } from "../generated.ts"
import { type GeneratedServerSummary, summarizeServers } from "../list-generated.ts"
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
  const generated = await findGenerated(context)
  const { directory, isThere } = generated
  if (!isThere && skills.length > 0) {
    warnOfMissing(context, generated)
    return { directory, skills, servers: [] }
  }
  if (!isThere) await readGenerated(context)
  const { servers } = await summarizeServers(context, generated)
  return { directory, skills, servers }
}

/** Whoever sees skills alone should not think that the configured servers offer nothing. */
export function warnOfMissing(context: OperationContext, { settings }: Generated): void {
  if (settings.serverNames.length === 0) return
  context.log("warning", "servers/ has not been generated, so no tools are listed: run mcp-exec generate")
}
