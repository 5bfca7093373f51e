// Putting a skill's file into skills/: never over another one by accident, never half of it.
import { rmSync } from "node:fs"
import { join } from "node:path"
import { McpExecError } from "../../errors.ts"
import { putFile } from "../../skills/put-file.ts"
import { locateSkill, skillsFolder } from "../../skills/skill-files.ts"
import { nameLike, problemWithName } from "../../skills/skill-name.ts"
import { changeSkills } from "./change-skills.ts"

/** Throws when a skill cannot have this name. */
export function checkName(name: string): void {
  const problem = problemWithName(name)
  if (problem === undefined) return
  const better = nameLike(name)
  throw new McpExecError("E_USAGE", `${problem.charAt(0).toUpperCase()}${problem.slice(1)}`, {
    hint: better === "" || better === name ? "For example: weekly-report" : `For example: ${better}`,
  })
}

/** Throws when a skill of that name is there and must not be replaced. */
export function checkFree(project: string, name: string, force: boolean): void {
  const other = locateSkill(project, name)
  if (other === undefined || force) return
  throw new McpExecError("E_USAGE", `There is a skill ${other.name} already: ${other.entry}`, {
    hint: "Take another name, or replace it with --force.",
  })
}

export interface WriteOptions {
  force: boolean
  /** `server.tool` and the hash of its wrapper, for those that the skill uses. */
  tools?: Record<string, string>
}

/** Writes skills/<name>.ts and returns its path as seen from the project. */
export async function writeSkill(
  project: string,
  name: string,
  text: string,
  { force, tools = {} }: WriteOptions,
): Promise<string> {
  return await changeSkills(project, (lock, save) => {
    checkFree(project, name, force)
    const other = locateSkill(project, name)
    if (other?.isFolder) {
      throw new McpExecError("E_USAGE", `${other.entry} is a folder, which one file does not replace`, {
        hint: `Take another name, or remove it first: mcp-exec skills remove ${other.name}`,
      })
    }
    const path = `${skillsFolder}/${name}.ts`
    putFile(join(project, path), text)
    if (other !== undefined && other.entry !== path) rmSync(join(project, other.entry), { force: true })
    // What was known of the skill that stood here before holds no more.
    const isKnown = lock.delete(name)
    if (Object.keys(tools).length > 0) lock.set(name, { tools })
    if (isKnown || lock.has(name)) save()
    return path
  })
}
