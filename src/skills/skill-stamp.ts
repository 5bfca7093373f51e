import { statSync } from "node:fs"
import { join } from "node:path"
import type { SkillFiles } from "./skill-files.ts"

// A file that changed this recently may change again without its time telling.
const settledAfterMs = 100

/** What tells one state of a skill's files from another without reading them; undefined when nothing does yet. */
export function stampOf(project: string, { script, document }: SkillFiles): string | undefined {
  let stamp = ""
  for (const path of [script, document]) {
    const status = path === undefined ? undefined : statSync(join(project, path), { throwIfNoEntry: false })
    if (path !== undefined && (status === undefined || Date.now() - status.ctimeMs < settledAfterMs)) return undefined
    // The time of change besides that of writing, which anybody can set.
    stamp += status === undefined ? "-;" : `${path},${status.ino},${status.size},${status.mtimeMs},${status.ctimeMs};`
  }
  return stamp
}
