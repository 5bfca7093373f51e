// What skills said of themselves when they were last read, in the user's cache, so that a listing reads only those
// that have changed since. Nothing but listings may ask here: what is run, shown or approved is read from its files.
import { writeReceipt } from "../config/receipt-store.ts"
import { within } from "../platform/paths.ts"
import { readWhole } from "../platform/read-whole.ts"
import { build } from "../version.ts"
import { hashText } from "./hash-text.ts"
import { isDeclaration } from "./read-declaration.ts"
import type { ListedSkill } from "./read-skill.ts"
import type { SkillFiles } from "./skill-files.ts"
import { stampOf } from "./skill-stamp.ts"

export interface Readings {
  /** What the skill said, if its files are as they were then. */
  find(files: SkillFiles): ListedSkill | undefined
  /** Remembers what a skill said, after it was looked for here. */
  keep(files: SkillFiles, skill: ListedSkill): void
  /** Writes what was kept, if anything was. */
  save(): Promise<void>
}

/** The readings of a project. */
export function openReadings(project: string, cacheDirectory: string): Readings {
  const file = cacheFile(cacheDirectory, project, "readings")
  const before = readRecords(file)
  const stamps = new Map<string, string>()
  const now: Record<string, [stamp: string, skill: ListedSkill]> = {}
  let isChanged = false
  return {
    find(files) {
      const stamp = stampOf(project, files)
      if (stamp === undefined) return undefined
      stamps.set(files.entry, stamp)
      const record = Object.hasOwn(before, files.entry) ? before[files.entry] : undefined
      if (!Array.isArray(record) || record[0] !== stamp || !isReadingOf(files, record[1])) return undefined
      now[files.entry] = [stamp, record[1]]
      return record[1]
    },
    keep(files, skill) {
      const stamp = stamps.get(files.entry)
      if (stamp === undefined) return
      now[files.entry] = [stamp, skill]
      isChanged = true
    },
    async save() {
      if (isChanged) await writeReceipt(file, JSON.stringify(now))
    },
  }
}

/** Where something is kept that is known of a project's skills. */
export function cacheFile(cacheDirectory: string, project: string, what: string): string {
  return within(cacheDirectory, `skills/${hashText(JSON.stringify([build, project, what]))}.json`)
}

/** What was written last; nothing when there is none, or none that can be understood. */
function readRecords(file: string): Record<string, unknown> {
  try {
    const records: unknown = JSON.parse(readWhole(file))
    return typeof records === "object" && records !== null ? (records as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** The cache may be broken, or somebody else's work: only what could have been read from these files counts. */
function isReadingOf({ name, script, document }: SkillFiles, value: unknown): value is ListedSkill {
  if (typeof value !== "object" || value === null) return false
  const skill = value as Partial<ListedSkill>
  return (
    skill.name === name &&
    skill.script === script &&
    skill.path === (document ?? script) &&
    ["declared", "header", "none"].includes(skill.form as string) &&
    Array.isArray(skill.problems) &&
    skill.problems.every((problem) => typeof problem === "string") &&
    isDeclaration(skill.declaration, name)
  )
}
