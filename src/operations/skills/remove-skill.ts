// Takes a skill away: its file or folder, what the lock says of it, and what was exported of it.
import { rmSync } from "node:fs"
import { join } from "node:path"
import { locateSkill, unknownSkill } from "../../skills/skill-files.ts"
import type { OperationContext } from "../context.ts"
import { changeSkills } from "./change-skills.ts"
import { removeExports } from "./export-skills.ts"
import { readProject } from "./project.ts"

export interface RemoveSkillOutput {
  name: string
  /** What was removed, seen from the project's folder. */
  path: string
  /** What `skills export` had written of it. */
  exports: string[]
}

/** Removes one skill. Throws when there is none of exactly that name. */
export async function removeSkill(context: OperationContext, { name }: { name: string }): Promise<RemoveSkillOutput> {
  const { directory } = await readProject(context)
  const skill = locateSkill(directory, name)
  // A similar spelling is good enough to run a skill, but not to delete one.
  if (skill === undefined || skill.name !== name) throw unknownSkill(directory, name)
  await changeSkills(directory, (lock, save) => {
    rmSync(join(directory, skill.entry), { recursive: true, force: true })
    if (lock.delete(name)) save()
  })
  return { name, path: skill.entry, exports: removeExports(directory, name) }
}
