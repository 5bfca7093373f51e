// Changes to skills/, one at a time: two commands at once must not lose what the lock says of each other's skills,
// because a skill that the lock does not know counts as one's own and is never refused.
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { takeLock } from "../../codegen/write-lock.ts"
import { isMcpExecError, McpExecError } from "../../errors.ts"
import { readLock, type SkillsLock, writeLock } from "../../skills/lock.ts"
import { skillsFolder } from "../../skills/skill-files.ts"

/**
 * Runs a change with the lock as it is now. `save` puts the lock in place: before the files, where they must never be
 * without it. When the change fails, the lock is as it was.
 */
export async function changeSkills<T>(project: string, change: (lock: SkillsLock, save: () => void) => T): Promise<T> {
  const folder = join(project, skillsFolder)
  try {
    mkdirSync(folder, { recursive: true })
    using _ = await takeLock(join(folder, ".changing"), `${process.pid}-${crypto.randomUUID()}`)
    const before = readLock(project)
    const lock: SkillsLock = new Map(before)
    let isSaved = false
    try {
      return change(lock, () => {
        isSaved = true
        writeLock(project, lock)
      })
    } catch (error) {
      if (isSaved) writeLock(project, before)
      throw error
    }
  } catch (cause) {
    if (isMcpExecError(cause)) throw cause
    throw new McpExecError("E_STATE", `${folder} cannot be written: ${(cause as Error).message}`, {
      hint: "Check that skills/ is a folder that you may write to.",
      cause,
    })
  }
}
