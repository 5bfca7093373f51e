// From what a program names to a script: code, a file, or a skill of the project.
import { stat } from "node:fs/promises"
import { McpExecError } from "../../errors.ts"
import type { Script } from "../../harness/harness.ts"
import { within } from "../../platform/paths.ts"
import type { OperationContext } from "../context.ts"
import { checkApproved, resolveSkill, type SkillsPlace, skillsHint } from "../skills/resolve-skill.ts"

export interface NamedScript {
  code?: string | undefined
  file?: string | undefined
  skill?: string | undefined
}

/** The script. Throws when none or several are named, or the one is not there. */
export async function findScript(context: OperationContext, { code, file, skill }: NamedScript): Promise<Script> {
  const given = [code, file, skill].filter((each) => each !== undefined).length
  if (given !== 1) {
    throw new McpExecError("E_USAGE", `A run takes one of code, file and skill; it got ${given || "none"}`, {
      hint: 'For example exec({ file: "report.ts" }).',
    })
  }
  const { cwd, env } = context
  if (code !== undefined) return { kind: "code", code, name: within(cwd, "[code].ts") }
  const place: SkillsPlace = { cwd, env, project: (await context.settings()).directory }
  return { kind: "file", path: skill === undefined ? await findFile(place, file ?? "") : await findSkill(place, skill) }
}

/** The words after a script: given as such, or made of an object's keys and values. */
export function wordsOf(args: readonly string[] | Readonly<Record<string, unknown>>): string[] {
  if (Array.isArray(args)) return [...args]
  return Object.entries(args).flatMap(([name, value]) => {
    if (value === undefined || value === null) return []
    // A list is one JSON array: also one that is empty, or holds a text that looks like an option.
    return [`--${name}=${typeof value === "string" ? value : JSON.stringify(value)}`]
  })
}

async function findSkill(place: SkillsPlace, name: string): Promise<string> {
  const path = await resolveSkill(place, name)
  if (path !== undefined) return path
  throw new McpExecError("E_SKILL_UNKNOWN", `There is no skill '${name}'`, {
    hint: (await skillsHint(place, name)) || `There are none in ${place.project}/skills.`,
  })
}

async function findFile(place: SkillsPlace, given: string): Promise<string> {
  const path = within(place.cwd, given)
  const status = await stat(path).catch(() => undefined)
  if (!status?.isFile()) {
    const problem = status === undefined ? `There is no file ${given}` : `${given || "file"} is not a file`
    throw new McpExecError("E_SCRIPT_NOT_FOUND", problem, { hint: `Looked for ${path}.` })
  }
  if (!/\.[cm]?[jt]sx?$/.test(path)) {
    throw new McpExecError("E_USAGE", `${given} is not TypeScript or JavaScript`, {
      hint: "file takes a .ts, .js, .mts, .mjs, .tsx or .jsx file.",
    })
  }
  if (path.includes("skills")) await checkApproved(place, path)
  return path
}
