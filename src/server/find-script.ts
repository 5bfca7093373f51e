// From what a call names to a script: code, a skill or a file of the project.
import { stat } from "node:fs/promises"
import { McpExecError } from "../errors.ts"
import type { OperationContext } from "../operations/context.ts"
import type { Script } from "../operations/exec.ts"
import { checkApproved, resolveSkill, skillsHint } from "../operations/skills/resolve-skill.ts"
import { within } from "../platform/paths.ts"
import type { ExecuteInput } from "./execute-input.ts"

/** The script that a call is about. Throws when it names none, several, or one that is not there. */
export async function findScript(context: OperationContext, input: ExecuteInput): Promise<Script> {
  const { code, skill, path } = input
  const given = [code, skill, path].filter((each) => each !== undefined).length
  if (given !== 1) {
    throw new McpExecError("E_USAGE", `execute_script takes one of code, skill and path; it got ${given}`, {
      hint: 'For example {"code": "1 + 1"}',
    })
  }
  const { cwd, env } = context
  if (skill !== undefined) return await findSkill({ cwd, env, project: (await context.settings()).directory }, skill)
  if (path !== undefined) return await findFile({ cwd, env, project: (await context.settings()).directory }, path)
  const { forgive } = await import("./forgive.ts")
  return { kind: "code", code: forgive(code ?? ""), name: within(cwd, "[code].ts") }
}

/** The words after a script: given as such, or made of an object's keys and values. */
export function wordsOf(args: ExecuteInput["args"]): string[] {
  if (args === undefined) return []
  if (Array.isArray(args)) return args
  return Object.entries(args).flatMap(([name, value]) => {
    if (value === undefined || value === null) return []
    if (typeof value === "boolean") return [value ? `--${name}` : `--no-${name}`]
    return [`--${name}=${typeof value === "string" ? value : JSON.stringify(value)}`]
  })
}

interface Whereabouts {
  cwd: string
  env: Record<string, string | undefined>
  project: string
}

async function findSkill(where: Whereabouts, name: string): Promise<Script> {
  const path = await resolveSkill(where, name)
  if (path !== undefined) return { kind: "file", path }
  throw new McpExecError("E_SKILL_UNKNOWN", `There is no skill ${name}`, {
    hint: (await skillsHint(where, name)) || "search_tools with an empty query lists the skills.",
  })
}

async function findFile(where: Whereabouts, given: string): Promise<Script> {
  const path = within(where.cwd, given)
  const status = await stat(path).catch(() => undefined)
  if (!status?.isFile()) {
    const problem = status === undefined ? `There is no file ${given}` : `${given} is not a file`
    throw new McpExecError("E_SCRIPT_NOT_FOUND", problem, { hint: `Looked for ${path}.` })
  }
  if (!/\.[cm]?[jt]sx?$/.test(path)) {
    throw new McpExecError("E_USAGE", `${given} is not TypeScript or JavaScript`, {
      hint: "path takes a .ts, .js, .mts, .mjs, .tsx or .jsx file.",
    })
  }
  if (path.includes("skills")) await checkApproved(where, path)
  return { kind: "file", path }
}
