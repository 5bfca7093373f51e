// Skills for agents that know Agent Skills: `.claude/skills/<name>/SKILL.md`, `.agents/skills/<name>/SKILL.md`.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { z } from "zod"
import { McpExecError } from "../../errors.ts"
import { agentSkillText, isExported } from "../../skills/agent-skill.ts"
import { listSkills, requireSkill, type Skill } from "../../skills/find-skills.ts"
import { putFile } from "../../skills/put-file.ts"
import { nameLike, problemWithName } from "../../skills/skill-name.ts"
import type { OperationContext } from "../context.ts"
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
}

/** Writes a SKILL.md for each skill. When one cannot be written, none is. */
export async function exportSkills(
  context: OperationContext,
  input: z.input<typeof exportSkillsInput>,
): Promise<ExportSkillsOutput> {
  const { to, names, force } = exportSkillsInput.parse(input)
  const { directory } = await readProject(context)
  const skills =
    names.length === 0 ? listSkills(directory).skills : [...new Set(names)].map((name) => requireSkill(directory, name))
  const files = skills.map((skill) => {
    checkFit(skill)
    const path = `${exportTargets[to]}/${skill.name}/SKILL.md`
    const before = textOf(join(directory, path))
    const text = agentSkillText(skill)
    if (before !== undefined && before !== text && !isExported(before) && !force) throw notOurs(path)
    return { path, text, isNew: before !== text }
  })
  for (const { path, text, isNew } of files) if (isNew) write(join(directory, path), text)
  const paths = (isNew: boolean) => files.filter((file) => file.isNew === isNew).map(({ path }) => path)
  return { directory, written: paths(true), unchanged: paths(false) }
}

function checkFit({ name, declaration }: Skill): void {
  const problem = problemWithName(name)
  if (problem !== undefined) {
    throw new McpExecError("E_USAGE", `${name} cannot be exported: ${problem}`, {
      hint: `Rename its file, for example to ${nameLike(name)}.ts.`,
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
