// The files that make up a skill.
import { type Dirent, lstatSync, readdirSync } from "node:fs"
import { join } from "node:path"

export interface SkillContent {
  /** Regular files, seen from `folder`, with `/`, sorted. */
  files: string[]
  /** What nobody can vouch for: links, pipes, and packages installed inside the skill. */
  unfit: string[]
}

// What systems and version control leave in folders, and no script loads.
const ignored = [".git", ".DS_Store", "Thumbs.db"]

/** What a skill's file or folder holds. Links are not followed. */
export function listContent(folder: string, entry: string): SkillContent {
  const status = lstatSync(join(folder, entry), { throwIfNoEntry: false })
  if (status === undefined) return { files: [], unfit: [] }
  if (!status.isDirectory()) return sort(entry, status)
  const parts = readdirSync(join(folder, entry), { withFileTypes: true })
    .filter(({ name }) => !ignored.includes(name))
    .map((each) => {
      const path = `${entry}/${each.name}`
      return each.isDirectory() && each.name !== "node_modules" ? listContent(folder, path) : sort(path, each)
    })
  return {
    files: parts.flatMap(({ files }) => files).sort(),
    unfit: parts.flatMap(({ unfit }) => unfit).sort(),
  }
}

function sort(path: string, entry: Pick<Dirent, "isFile">): SkillContent {
  return entry.isFile() ? { files: [path], unfit: [] } : { files: [], unfit: [path] }
}
