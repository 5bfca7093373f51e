// Which skills are among the files of a source: a single script, a folder with a SKILL.md, or a collection of
// either in its root or in `skills/`.
import { readDeclaration } from "../read-declaration.ts"
import { readFrontMatter } from "../read-front-matter.ts"
import { isScriptName, withoutEnding } from "../skill-files.ts"
import { nameLike } from "../skill-name.ts"
import type { Fetched, SourceFiles } from "./source.ts"

export interface IncomingSkill {
  name: string
  /** Seen from skills/: `<name>.ts`, or `<name>/…`. */
  files: SourceFiles
  /** Links among them, which were not taken. */
  links: string[]
  problems: string[]
}

/** The skills of a source whose own name is `title`. */
export async function skillsIn(source: Fetched, title: string): Promise<IncomingSkill[]> {
  const document = source.files.get("SKILL.md")
  if (document !== undefined) {
    const { name } = await readFrontMatter(document, title)
    return [await folderSkill(source, name ?? nameLike(title))]
  }
  const collection = below(source, "skills/")
  const found = await inFolder(collection.files.size > 0 ? collection : source)
  return found.sort((a, b) => (a.name < b.name ? -1 : 1))
}

async function inFolder(source: Fetched): Promise<IncomingSkill[]> {
  const scripts = [...source.files].flatMap(([path, text]) => {
    if (path.includes("/") || !isScriptName(path) || /^[._]/.test(path)) return []
    const name = withoutEnding(path)
    const { form, problems } = readDeclaration(text, name)
    return form === "none" ? [] : [{ name, files: new Map([[path, text]]), links: [], problems }]
  })
  const folders = [...source.files.keys()].flatMap((path) => /^([^/]+)\/SKILL\.md$/.exec(path)?.[1] ?? [])
  return [...scripts, ...(await Promise.all(folders.map((name) => folderSkill(below(source, `${name}/`), name))))]
}

async function folderSkill({ files, left }: Fetched, name: string): Promise<IncomingSkill> {
  const { problems } = await readFrontMatter(files.get("SKILL.md") ?? "", name)
  return {
    name,
    files: new Map([...files].map(([path, text]) => [`${name}/${path}`, text])),
    links: left.filter(({ why }) => why === "link").map(({ path }) => `${name}/${path}`),
    problems: [
      ...problems,
      ...left.filter(({ why }) => why !== "link").map(({ path, why }) => `${path} was left out: it is ${why}`),
    ],
  }
}

function below({ files, left }: Fetched, folder: string): Fetched {
  const inner = (path: string) => path.slice(folder.length)
  return {
    files: new Map([...files].flatMap(([path, text]) => (path.startsWith(folder) ? [[inner(path), text]] : []))),
    left: left.flatMap(({ path, why }) => (path.startsWith(folder) ? [{ path: inner(path), why }] : [])),
  }
}
