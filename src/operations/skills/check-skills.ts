// Are the skills of a project still right? Declarations, types, servers, approvals, and whether the tools that a
// skill was saved with are still what they were.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { guestSource } from "../../guest/plain-file.ts"
import { type ListedSkill, readSkills, requireSkill } from "../../skills/find-skills.ts"
import { changedFiles, type LockEntry, readLock } from "../../skills/lock.ts"
import { checkTypes } from "../../skills/types/check-types.ts"
import { type KnownServers, usedTools } from "../../skills/used-tools.ts"
import { nearMiss } from "../../suggest.ts"
import type { OperationContext } from "../context.ts"
import { driftProblems } from "../discover/drift-problems.ts"
import { explainAll, noCompiler, type ScriptProblem, unknownTools } from "./check-script.ts"
import { readServers } from "./known-servers.ts"
import { readProject } from "./project.ts"

export interface CheckedSkill {
  name: string
  path: string
  ok: boolean
  problems: ScriptProblem[]
}

export interface CheckSkillsOutput {
  directory: string
  skills: CheckedSkill[]
  typesChecked: boolean
  notes: string[]
}

/** Checks the named skills, or all. */
export async function checkSkills(
  context: OperationContext,
  { names }: { names: string[] },
): Promise<CheckSkillsOutput> {
  const { directory, serverNames } = await readProject(context)
  const { skills: all, skipped } = await readSkills(directory)
  const skills =
    names.length === 0 ? all : await Promise.all([...new Set(names)].map((name) => requireSkill(directory, name)))
  const servers = readServers(directory)
  const lock = readLock(directory)
  const scripts = new Map(
    skills.flatMap(({ script }) => (script === undefined ? [] : [[join(directory, script), script] as const])),
  )
  const codes = new Map([...scripts.keys()].map((file) => [file, readFileSync(file, "utf8")]))
  const types = await checkAll(context, directory, servers, codes)
  const disabled = await disabledServers(context, serverNames)
  const notes = { cacheDirectory: context.cacheDirectory, directory: join(directory, "servers") }
  const checked = skills.map((skill): CheckedSkill => {
    const code = codes.get(join(directory, skill.script ?? "")) ?? ""
    const problems: ScriptProblem[] = [
      ...skill.problems.map((message) => ({ message })),
      ...serverProblems(skill, code, servers, serverNames, disabled),
      ...unknownTools(code, servers),
      ...driftProblems(code, servers, notes),
      ...lockProblems(directory, lock.get(skill.name) ?? {}, servers),
      ...(types ?? []).filter(({ file }) => file === skill.script).map(({ file: _, ...problem }) => problem),
    ]
    return { name: skill.name, path: skill.path, ok: problems.length === 0, problems }
  })
  const left = names.length === 0 ? skipped.map((reason) => `Left out ${reason}`) : []
  const untyped = types === undefined && scripts.size > 0 ? [noCompiler] : []
  return { directory, skills: checked, typesChecked: types !== undefined, notes: [...left, ...untyped] }
}

/** One run of the compiler for all of them. */
async function checkAll(
  context: OperationContext,
  project: string,
  servers: KnownServers,
  codes: ReadonlyMap<string, string>,
) {
  if (codes.size === 0) return []
  const runtime = await guestSource()
  const diagnostics = await checkTypes({ project, env: context.env, runtime, files: [...codes.keys()] })
  return diagnostics && explainAll(diagnostics, project, servers, codes)
}

async function disabledServers(context: OperationContext, configured: readonly string[]): Promise<string[]> {
  if (configured.length === 0) return []
  const { servers } = await context.config()
  return configured.filter((name) => servers[name]?.disabled)
}

function serverProblems(
  { declaration }: ListedSkill,
  code: string,
  servers: KnownServers,
  configured: readonly string[],
  disabled: readonly string[],
): ScriptProblem[] {
  const needed = new Set([...(declaration.servers ?? []), ...usedTools(code, servers).map(({ server }) => server)])
  return [...needed].flatMap((name) => {
    if (disabled.includes(name)) return [{ message: `server '${name}' is disabled in the configuration` }]
    if (configured.includes(name)) return []
    const hint = configured.length === 0 ? "None is." : nearMiss(name, configured, "There are")
    return [{ message: `server '${name}' is not configured. ${hint}` }]
  })
}

function lockProblems(project: string, entry: LockEntry, servers: KnownServers): ScriptProblem[] {
  const changed = changedFiles(project, entry)
  const drifted = Object.entries(entry.tools ?? {}).flatMap(([tool, hash]) => {
    const known = [...servers].flatMap(([server, { tools }]) =>
      Object.entries(tools).flatMap(([name, { hash: now }]) => (`${server}.${name}` === tool ? [now] : [])),
    )[0]
    if (known === hash) return []
    const message =
      known === undefined ? `${tool} is gone from servers/` : `${tool} has changed since this skill was saved`
    return [{ message: `${message}: see mcp-exec cat ${tool}, then save the skill again`, tool }]
  })
  return [
    ...(changed.length > 0
      ? [{ message: `changed since it was added, so exec refuses it: ${changed.join(", ")}` }]
      : []),
    ...drifted,
  ]
}
