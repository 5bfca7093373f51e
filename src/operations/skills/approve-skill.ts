// Takes a skill that was added as it is now: its files' hashes go into the lock.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { McpExecError } from "../../errors.ts"
import { hashText } from "../../skills/hash-text.ts"
import { changedFiles } from "../../skills/lock.ts"
import { listContent } from "../../skills/skill-content.ts"
import { locateSkill, skillsFolder, unknownSkill } from "../../skills/skill-files.ts"
import type { OperationContext } from "../context.ts"
import { changeSkills } from "./change-skills.ts"
import { checkCovered } from "./check-covered.ts"
import { readProject } from "./project.ts"

export interface ApproveSkillOutput {
  name: string
  /** What had changed, seen from skills/. */
  changed: string[]
}

/** Approves the skill as it is. */
export async function approveSkill(context: OperationContext, { name }: { name: string }): Promise<ApproveSkillOutput> {
  const { directory } = await readProject(context)
  const skill = locateSkill(directory, name)
  if (skill === undefined || skill.name !== name) throw unknownSkill(directory, name)
  return await changeSkills(directory, (lock, save) => {
    const entry = lock.get(name)
    if (entry?.files === undefined) {
      throw new McpExecError("E_USAGE", `${name} is a skill of your own: it needs no approval`, {
        hint: "Only skills that came by `mcp-exec skills add` do.",
      })
    }
    const folder = join(directory, skillsFolder)
    const { files: paths, unfit } = listContent(folder, skill.entry.slice(skillsFolder.length + 1))
    const texts = new Map(paths.map((path) => [path, readFileSync(join(folder, path))]))
    checkCovered(name, unfit, new Map([...texts].map(([path, bytes]) => [path, bytes.toString("utf8")])))
    const changed = changedFiles(directory, entry)
    const hashes = [...texts].map(([path, bytes]) => [path, hashText(bytes)] as const)
    lock.set(name, { ...entry, files: Object.fromEntries(hashes) })
    save()
    return { name, changed }
  })
}
