// The files that make up a skill.
import { readdirSync, statSync } from "node:fs"
import { join } from "node:path"

/** All regular files of a skill's file or folder, seen from `folder`, with `/`, sorted. Links are not followed. */
export function listSkillFiles(folder: string, entry: string): string[] {
  if (!statSync(join(folder, entry)).isDirectory()) return [entry]
  return readdirSync(join(folder, entry), { withFileTypes: true })
    .filter(({ name }) => name !== "node_modules" && name !== ".git")
    .flatMap((each) => {
      const path = `${entry}/${each.name}`
      return each.isDirectory() ? listSkillFiles(folder, path) : each.isFile() ? [path] : []
    })
    .sort()
}
