// From a word after `exec` to the skill's script. Reads nothing of the skill but its hash, and that only
// when it came from somewhere else.
import { join, relative, sep } from "node:path"
import { type FindOptions, findConfigFile } from "../../config/find.ts"
import { McpExecError } from "../../errors.ts"
import { parentOf } from "../../platform/paths.ts"
import { changedFiles, readLock } from "../../skills/lock.ts"
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
  const file = relative(join(project, skillsFolder), path).replaceAll(sep, "/")
  const [top = ""] = file.split("/")
  for (const [name, entry] of readLock(project)) {
    const { files } = entry
    // Also a file that was put beside those of the skill, or in their place: what runs must have been approved.
    if (files === undefined || (name !== withoutEnding(top) && !Object.hasOwn(files, file))) continue
    const changed = [...changedFiles(project, entry), ...(Object.hasOwn(files, file) ? [] : [file])]
    if (changed.length === 0) return
    throw new McpExecError(
      "E_SKILL_CHANGED",
      `The skill ${name} has changed since it was added: ${changed.join(", ")}`,
      {
        hint: `Read it (mcp-exec cat ${name} --source), then approve it: mcp-exec skills approve ${name}`,
        details: { skill: name, source: entry.source, changed },
      },
    )
  }
}
