// Which skills are among the files of a source: a single script, a folder with a SKILL.md, or a collection of
// either in its root or in `skills/`.
import { readDeclaration } from "../read-declaration.ts"
import { readFrontMatter } from "../read-front-matter.ts"
import { isScriptName, withoutEnding } from "../skill-files.ts"
import { nameLike } from "../skill-name.ts"
import type { SourceFiles } from "./source.ts"

export interface IncomingSkill {
  name: string
  /** Seen from skills/: `<name>.ts`, or `<name>/…`. */
  files: SourceFiles
  problems: string[]
}

/** The skills of a source whose own name is `title`. */
export function skillsIn(files: SourceFiles, title: string): IncomingSkill[] {
  if (files.has("SKILL.md")) return [folderSkill(files, folderName(files, title))]
  const collection = below(files, "skills/")
  const found = inFolder(collection.size > 0 ? collection : files)
  return found.sort((a, b) => (a.name < b.name ? -1 : 1))
}

function inFolder(files: SourceFiles): IncomingSkill[] {
  const scripts = [...files].flatMap(([path, text]) => {
    if (path.includes("/") || !isScriptName(path) || /^[._]/.test(path)) return []
    const name = withoutEnding(path)
    const { form, problems } = readDeclaration(text, name)
    return form === "none" ? [] : [{ name, files: new Map([[path, text]]), problems }]
  })
  const folders = [...files.keys()].flatMap((path) => /^([^/]+)\/SKILL\.md$/.exec(path)?.[1] ?? [])
  return [...scripts, ...folders.map((name) => folderSkill(below(files, `${name}/`), name))]
}

function folderSkill(files: SourceFiles, name: string): IncomingSkill {
  const { problems } = readFrontMatter(files.get("SKILL.md") ?? "", name)
  return { name, files: new Map([...files].map(([path, text]) => [`${name}/${path}`, text])), problems }
}

function folderName(files: SourceFiles, title: string): string {
  return readFrontMatter(files.get("SKILL.md") ?? "", title).name ?? nameLike(title)
}

function below(files: SourceFiles, folder: string): SourceFiles {
  return new Map(
    [...files].flatMap(([path, text]) => (path.startsWith(folder) ? [[path.slice(folder.length), text]] : [])),
  )
}
