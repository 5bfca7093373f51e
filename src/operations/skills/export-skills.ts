// Skills for agents that know Agent Skills: `.claude/skills/<name>/SKILL.md`, `.agents/skills/<name>/SKILL.md`.
import { readFileSync, rmdirSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { z } from "zod"
import { describeError, type ErrorDescription, isMcpExecError, McpExecError } from "../../errors.ts"
import { agentSkillText, isExported } from "../../skills/agent-skill.ts"
import { readSkills, requireSkill, type Skill } from "../../skills/find-skills.ts"
import { putFile } from "../../skills/put-file.ts"
import { nameLike, problemWithName } from "../../skills/skill-name.ts"
import type { OperationContext } from "../context.ts"
import { leadsOutside } from "../leads-outside.ts"
import { readProject } from "./project.ts"

const exportTargets = { claude: ".claude/skills", agents: ".agents/skills" } as const

export const exportSkillsInput = z.object({
  to: z.enum(["claude", "agents"]).describe("whose skills folder"),
  names: z.array(z.string()).default([]).describe("only these; all when empty"),
  force: z.boolean().default(false).describe("write over files that somebody else has written"),
})

export type ExportSkillsInput = z.input<typeof exportSkillsInput>

export interface ExportSkillsOutput {
  directory: string
  /** Seen from the project's folder. */
  written: string[]
  unchanged: string[]
  /** Skills that cannot be exported as they are, which does not keep the others. */
  refused: { name: string; error: ErrorDescription }[]
}

/** Writes a SKILL.md for each skill that can have one. */
export async function exportSkills(
  context: OperationContext,
  input: z.input<typeof exportSkillsInput>,
): Promise<ExportSkillsOutput> {
  const { to, names, force } = exportSkillsInput.parse(input)
  const { directory } = await readProject(context)
  // A name that nobody has is told before anything is written.
  const named = await Promise.all([...new Set(names)].map((name) => requireSkill(directory, name)))
  const skills = named.length > 0 ? named : (await readSkills(directory)).skills
  const output: ExportSkillsOutput = { directory, written: [], unchanged: [], refused: [] }
  for (const skill of skills) {
    const path = `${exportTargets[to]}/${skill.name}/SKILL.md`
    try {
      const isWritten = exportSkill(skill, { directory, path, force })
      output[isWritten ? "written" : "unchanged"].push(path)
    } catch (error) {
      if (!isMcpExecError(error)) throw error
      output.refused.push({ name: skill.name, error: describeError(error) })
    }
  }
  return output
}

/** Takes away what was exported of a skill, and nothing that somebody else has written. Returns what is gone. */
export function removeExports(directory: string, name: string): string[] {
  return Object.values(exportTargets).flatMap((folder) => {
    const path = `${folder}/${name}/SKILL.md`
    const file = join(directory, path)
    if (leadsOutside(file, directory) || !isExported(textOf(file) ?? "")) return []
    rmSync(file)
    try {
      rmdirSync(dirname(file))
    } catch {
      // There is something else in the folder, which is not ours.
    }
    return [path]
  })
}

interface Export {
  directory: string
  path: string
  force: boolean
}

/** False when the file says all that already. */
function exportSkill(skill: Skill, { directory, path, force }: Export): boolean {
  checkFit(skill)
  const file = join(directory, path)
  if (leadsOutside(file, directory)) {
    throw new McpExecError("E_USAGE", `${path} is behind a link to somewhere outside this folder`, {
      hint: "Remove the link, or copy the skill by hand.",
    })
  }
  const before = textOf(file)
  const text = agentSkillText(skill)
  if (before === text) return false
  if (before !== undefined && !isExported(before) && !force) throw notOurs(path)
  write(file, text)
  return true
}

function checkFit({ name, declaration }: Skill): void {
  const problem = problemWithName(name)
  if (problem !== undefined) {
    const better = nameLike(name)
    // A name may have more than one line.
    throw new McpExecError("E_USAGE", `${name} cannot be exported: ${problem}`.replace(/\s+/g, " "), {
      hint: `Rename its file, for example to ${problemWithName(better) === undefined ? better : "my-skill"}.ts.`,
    })
  }
  if (declaration.description.trim() === "") {
    throw new McpExecError("E_USAGE", `${name} cannot be exported: the description is missing`, {
      hint: "Agents choose skills by their descriptions. Add one to the declaration.",
    })
  }
}

function notOurs(path: string): McpExecError {
  return new McpExecError("E_USAGE", `${path} was not written by mcp-exec`, {
    hint: "Move it away, or write over it with --force.",
  })
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8")
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined
    throw cannotWrite(file, error)
  }
}

function write(file: string, text: string): void {
  try {
    putFile(file, text)
  } catch (error) {
    throw cannotWrite(file, error)
  }
}

function cannotWrite(file: string, cause: unknown): McpExecError {
  return new McpExecError("E_STATE", `${file} cannot be written: ${(cause as Error).message}`, {
    hint: "Check that nothing else stands in its place.",
    cause,
  })
}
