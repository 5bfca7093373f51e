// The skills of a project and what they say of themselves. Reads files and nothing else: no skill is
// run, however it describes itself.
import { McpExecError } from "../errors.ts"
import { type ListedSkill, readSkill, roomForFile, type Skill } from "./read-skill.ts"
import { openReadings } from "./readings.ts"
import { type LocatedSkills, locateSkill, locateSkills, type SkillFiles, unknownSkill } from "./skill-files.ts"

export type { ListedSkill, Skill } from "./read-skill.ts"

export interface FoundSkills<Each = Skill> {
  /** Sorted by name. */
  skills: Each[]
  /** What is in the folder and was left out, and why. */
  skipped: string[]
}

/** All skills in the folder `skills` of a project, read from their files. */
export async function readSkills(project: string): Promise<FoundSkills> {
  const bytes = roomForFile()
  return await collect(locateSkills(project), (files) => readSkill(project, files, bytes))
}

/** What they say of themselves. Of those that are as they were the last time, nothing is read but the cache. */
export async function listSkills(project: string, cacheDirectory: string): Promise<FoundSkills<ListedSkill>> {
  const located = locateSkills(project)
  if (located.skills.length === 0) return { skills: [], skipped: located.skipped }
  const readings = openReadings(project, cacheDirectory)
  const bytes = roomForFile()
  const found = await collect(located, async (files) => {
    const known = readings.find(files)
    const skill = known ?? (await readSkill(project, files, bytes))
    if (skill === known || typeof skill !== "object") return skill
    const { instructions: _, ...listed } = skill as Skill
    readings.keep(files, listed)
    return listed
  })
  await readings.save()
  return found
}

async function collect<Each extends ListedSkill>(
  { skills: located, skipped }: LocatedSkills,
  read: (files: SkillFiles) => Promise<Each | string | undefined>,
): Promise<FoundSkills<Each>> {
  const skills: Each[] = []
  for (const files of located) {
    const skill = await read(files)
    if (typeof skill === "string") skipped.push(`${files.entry}: ${skill}`)
    else if (skill !== undefined) skills.push(skill)
  }
  return { skills, skipped }
}

/** The skill of that name; reads no other. Throws when there is none, or none that can be read. */
export async function requireSkill(project: string, name: string): Promise<Skill> {
  const files = locateSkill(project, name)
  const skill = files && (await readSkill(project, files))
  if (files === undefined || skill === undefined) throw unknownSkill(project, name)
  if (typeof skill !== "string") return skill
  throw new McpExecError("E_STATE", `The skill ${files.name} cannot be shown: ${files.entry}: ${skill}`, {
    hint: "Open it in an editor.",
  })
}
