// Where skills are: `skills/<name>.ts`, or `skills/<name>/` with a SKILL.md and scripts. Looks at names
// only; nothing is read, and nothing outside the folder is looked at.
import { readdirSync, realpathSync, type Stats, statSync } from "node:fs"
import { join, sep } from "node:path"
import { McpExecError } from "../errors.ts"
import { mayExist } from "../platform/may-exist.ts"
import { within } from "../platform/paths.ts"
import { nearMiss } from "../suggest.ts"

export interface SkillFiles {
  /** The name of its file or folder: what `exec` calls it. */
  name: string
  /** All paths are seen from the project's folder, with `/`. */
  entry: string
  isFolder: boolean
  /** What `exec` runs; a skill may be instructions alone. */
  script?: string
  /** SKILL.md */
  document?: string
}

export interface LocatedSkills {
  skills: SkillFiles[]
  /** What is in the folder and was left out, and why. */
  skipped: string[]
}

export const skillsFolder = "skills"
const scriptEndings = [".ts", ".mts", ".tsx", ".js", ".mjs", ".jsx"]

/** All that could be skills, sorted by name. With `wanted`, only those that go by that name. */
export function locateSkills(project: string, wanted?: string): LocatedSkills {
  const folder = within(project, skillsFolder)
  const skills = new Map<string, SkillFiles>()
  const skipped: string[] = []
  for (const { name: entry, isFolder, isLink } of entriesOf(folder)) {
    const name = nameOf(entry, isFolder)
    if (name === undefined || (wanted !== undefined && plain(name) !== plain(wanted))) continue
    const path = `${skillsFolder}/${entry}`
    const other = skills.get(name)
    if (isLink && !isInside(folder, join(folder, entry))) skipped.push(`${path}: it is a link to somewhere outside`)
    else if (other !== undefined) skipped.push(`${path}: ${other.entry} has the same name`)
    else skills.set(name, isFolder ? inFolder(folder, name) : { name, entry: path, isFolder, script: path })
  }
  return { skills: [...skills.values()].sort((a, b) => (a.name < b.name ? -1 : 1)), skipped }
}

/** The skill of that name, in this spelling before a similar one; undefined when there is none. */
export function locateSkill(project: string, name: string): SkillFiles | undefined {
  const skills = locateSkills(project, name).skills.filter(isReal)
  return skills.find((skill) => skill.name === name) ?? (skills.length === 1 ? skills[0] : undefined)
}

/** The names of all skills, sorted. */
export function skillNames(project: string): string[] {
  return locateSkills(project)
    .skills.filter(isReal)
    .map(({ name }) => name)
}

/** The error for a name that no skill has. */
export function unknownSkill(project: string, name: string): McpExecError {
  const names = skillNames(project)
  return new McpExecError("E_SKILL_UNKNOWN", `There is no skill '${name}' in ${join(project, skillsFolder)}`, {
    hint:
      names.length === 0
        ? "There are none. Make one: mcp-exec skills new my-skill"
        : nearMiss(name, names, "There are"),
  })
}

/** False for a folder with nothing to run or to read. */
function isReal({ isFolder, script, document }: SkillFiles): boolean {
  return !isFolder || (script ?? document) !== undefined
}

/** True for the name of a file that `exec` can run. */
export function isScriptName(name: string): boolean {
  return scriptEndings.some((ending) => name.endsWith(ending)) && !/\.(test|spec|d)\.\w+$/.test(name)
}

export function withoutEnding(name: string): string {
  const ending = scriptEndings.find((each) => name.endsWith(each)) ?? ""
  return name.slice(0, name.length - ending.length)
}

/** `simple_fetch` is found as `simple-fetch`, too. */
function plain(name: string): string {
  return withoutEnding(name).toLowerCase().replaceAll("_", "-")
}

interface Entry {
  name: string
  isFolder: boolean
  isLink: boolean
}

/** Files before folders, TypeScript before JavaScript: the first of a name counts. */
function entriesOf(folder: string): Entry[] {
  if (!mayExist(folder) || !statusOf(folder)?.isDirectory()) return []
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      const isLink = entry.isSymbolicLink()
      const status = isLink ? statusOf(join(folder, entry.name)) : entry
      const isFolder = status?.isDirectory() ?? false
      // A pipe would be waited for, and whoever writes to it would decide what it says.
      if (!isFolder && !status?.isFile()) return []
      const rank = isFolder ? scriptEndings.length : scriptEndings.findIndex((ending) => entry.name.endsWith(ending))
      return [{ name: entry.name, isFolder, isLink, rank }]
    })
    .sort((a, b) => a.rank - b.rank || (a.name < b.name ? -1 : 1))
}

/** What a path leads to; undefined for nothing, a link to itself, or what we may not look at. */
function statusOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** What a skill in this file or folder is called; undefined when it can be none. */
function nameOf(entry: string, isFolder: boolean): string | undefined {
  if (/^[._]/.test(entry) || entry === "node_modules") return undefined
  if (isFolder) return entry
  return isScriptName(entry) ? withoutEnding(entry) : undefined
}

/** A folder's script and document. A link in it that leads out of skills/ is as good as not there. */
function inFolder(root: string, name: string): SkillFiles {
  const own = (place: string) =>
    entriesOf(join(root, place)).filter((each) => !each.isLink || isInside(root, join(root, place, each.name)))
  const files = own(name)
  const scripts = files.some((file) => file.isFolder && file.name === "scripts") ? own(`${name}/scripts`) : []
  const script = mainScript(name, files, scripts)
  const entry = `${skillsFolder}/${name}`
  return {
    name,
    entry,
    isFolder: true,
    ...(script !== undefined && { script: `${entry}/${script}` }),
    ...(files.some((file) => !file.isFolder && file.name === "SKILL.md") && { document: `${entry}/SKILL.md` }),
  }
}

/** The script that `exec` runs: of the skill's name, `main`, or the only one in scripts/. */
function mainScript(name: string, files: readonly Entry[], scripts: readonly Entry[]): string | undefined {
  const named = (entries: readonly Entry[]) =>
    [name, "main"].flatMap((base) => entries.filter((each) => !each.isFolder && nameOf(each.name, false) === base))
  const others = scripts.filter((each) => !each.isFolder && nameOf(each.name, false) !== undefined)
  const [direct] = named(files)
  if (direct !== undefined) return direct.name
  const inScripts = named(scripts)[0] ?? (others.length === 1 ? others[0] : undefined)
  return inScripts && `scripts/${inScripts.name}`
}

function isInside(folder: string, path: string): boolean {
  return realpathSync(path).startsWith(realpathSync(folder) + sep)
}
