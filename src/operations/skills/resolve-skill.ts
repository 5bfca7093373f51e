// From a word after `exec` to the skill's script. Reads nothing of the skill but its hash, and that only
// when it came from somewhere else.
import { realpathSync } from "node:fs"
import { join, relative, sep } from "node:path"
import { type FindOptions, findConfigFile } from "../../config/find.ts"
import { McpExecError } from "../../errors.ts"
import { parentOf } from "../../platform/paths.ts"
import { changedFiles, type LockEntry, readLock } from "../../skills/lock.ts"
import { locateSkill, skillNames, skillsFolder, withoutEnding } from "../../skills/skill-files.ts"
import { nearMiss } from "../../suggest.ts"

/** Where skills are looked for: in a project that is known, or beside the configuration that counts. */
export interface SkillsPlace extends FindOptions {
  project?: string | undefined
}

/** The script of the skill that goes by `word`; undefined when there is no such skill. */
export async function resolveSkill(where: SkillsPlace, word: string): Promise<string | undefined> {
  const project = await projectOf(where)
  const skill = locateSkill(project, word)
  if (skill === undefined) return undefined
  if (skill.script === undefined) {
    throw new McpExecError("E_SCRIPT_NOT_FOUND", `The skill ${skill.name} has instructions, but no script to run`, {
      hint: `Read them: mcp-exec cat ${skill.name}`,
    })
  }
  const path = join(project, skill.script)
  checkApproval(project, path)
  return path
}

/** Throws when a file belongs to a skill that was added and has changed since. */
export async function checkApproved(where: SkillsPlace, path: string): Promise<void> {
  checkApproval(await projectOf(where), path)
}

/** What to say to one who asked for a script that is neither a file nor a skill. */
export async function skillsHint(where: SkillsPlace, word: string): Promise<string> {
  const names = skillNames(await projectOf(where))
  return names.length === 0 ? "" : nearMiss(word, names, "The skills are")
}

async function projectOf(where: SkillsPlace): Promise<string> {
  if (where.project !== undefined) return where.project
  const file = await findConfigFile(where)
  return (file === undefined ? undefined : parentOf(file)) ?? where.cwd
}

function checkApproval(project: string, path: string): void {
  const added = [...readLock(project)].filter(([, { files }]) => files !== undefined)
  if (added.length === 0) return
  const folder = join(project, skillsFolder)
  const files = new Set([pathIn(folder, path), pathIn(realPath(folder), realPath(path))])
  for (const [name, entry] of added) {
    for (const file of files) checkEntry(project, name, entry, file)
  }
}

/** Throws when a file, seen from skills/, belongs to an added skill that is not as it was approved. */
function checkEntry(project: string, name: string, entry: LockEntry, file: string): void {
  const { files = {}, source } = entry
  const [top = ""] = file.split("/")
  const isApproved = Object.hasOwn(files, file)
  // Also a file that was put beside those of the skill, or in their place: what runs must have been approved.
  if (!isApproved && name !== withoutEnding(top)) return
  const changed = [...new Set([...changedFiles(project, entry), ...(isApproved ? [] : [file])])]
  if (changed.length === 0) return
  throw new McpExecError("E_SKILL_CHANGED", `The skill ${name} has changed since it was added: ${changed.join(", ")}`, {
    hint: `Read what has changed, in ${skillsFolder}/; then approve it: mcp-exec skills approve ${name}`,
    details: { skill: name, source, changed },
  })
}

function pathIn(folder: string, path: string): string {
  return relative(folder, path).replaceAll(sep, "/")
}

/** Where a path really leads. One that leads nowhere is as good as another. */
function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
