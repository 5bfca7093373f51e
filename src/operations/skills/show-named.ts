// One thing by its name: a skill, a server, or something that a server offers. As with `exec`, a skill wins over a
// server of the same name; whoever asks is told that there are both.
import { isMcpExecError, McpExecError, ServerError } from "../../errors.ts"
import { locateSkill, skillNames } from "../../skills/skill-files.ts"
import { suggest } from "../../suggest.ts"
import type { OperationContext } from "../context.ts"
import { findGenerated } from "../generated.ts"
import { type ShowGeneratedOutput, showGenerated } from "../show-generated.ts"
import { readProject } from "./project.ts"
import { type ShowSkillOutput, showSkill } from "./show-skill.ts"

export interface ShowNamedInput {
  target: string
  source: boolean
}

export type ShowNamedOutput = ShowGeneratedOutput | (ShowSkillOutput & { skill: string; isServerToo?: true })

/** Shows a skill, a server or a tool. */
export async function showNamed(context: OperationContext, input: ShowNamedInput): Promise<ShowNamedOutput> {
  const { target, source } = input
  const { directory } = await readProject(context)
  const skill = locateSkill(directory, target)
  const asSkill = async (): Promise<ShowNamedOutput> => {
    const shown = await showSkill(context, { name: skill?.name ?? target, source })
    const { servers } = await findGenerated(context)
    return { skill: shown.name, ...shown, ...(servers.has(shown.name) && { isServerToo: true }) }
  }
  if (skill?.name === target) return await asSkill()
  try {
    return await showGenerated(context, input)
  } catch (error) {
    // A similar spelling is taken for the skill only when it is nothing else.
    if (skill !== undefined) return await asSkill()
    throw withSkills(error, directory, target)
  }
}

/** Of an unknown name, it may be a skill's that was meant. */
function withSkills(error: unknown, project: string, target: string): unknown {
  if (!isMcpExecError(error) || !["E_SERVER_UNKNOWN", "E_USAGE"].includes(error.code)) return error
  const names = skillNames(project)
  if (names.length === 0) return error
  const { code, server, details } = error
  const meant = suggest(target, names)
  if (meant === undefined && server !== target) return error
  const message = server === target ? `There is no skill and no generated server '${target}'` : error.message
  const found = meant === undefined ? "See all: mcp-exec ls" : `Did you mean the skill ${meant}?`
  const options = { hint: `${found}\n${error.hint ?? ""}`.trim(), details, cause: error }
  return server === undefined
    ? new McpExecError(code, message, options)
    : new ServerError(code, server, message, options)
}
