// The skills of a project and what they say of themselves. Reads files and nothing else: no skill is
// run, however it describes itself.
import { closeSync, openSync, readSync } from "node:fs"
import { join } from "node:path"
import { McpExecError } from "../errors.ts"
import type { SkillDeclaration } from "../guest/skill-declaration.ts"
import { type DeclarationForm, readDeclaration } from "./read-declaration.ts"
import { readFrontMatter } from "./read-front-matter.ts"
import { locateSkill, locateSkills, type SkillFiles, unknownSkill } from "./skill-files.ts"

export interface Skill {
  /** The name of its file or folder: what `exec` calls it. */
  name: string
  /** Seen from the project's folder, with `/`: SKILL.md where there is one, else the script. */
  path: string
  /** What `exec` runs; a skill may be instructions alone. */
  script?: string
  form: DeclarationForm
  declaration: SkillDeclaration
  /** What SKILL.md says after its front matter. */
  instructions?: string
  /** What is wrong with how it describes itself. */
  problems: string[]
}

export interface FoundSkills {
  skills: Skill[]
  /** What is in the folder and was left out, and why. */
  skipped: string[]
}

const largestFile = 256 * 1024

/** All skills in the folder `skills` of a project, sorted by name. */
export function listSkills(project: string): FoundSkills {
  const { skills: located, skipped } = locateSkills(project)
  const skills: Skill[] = []
  const bytes = roomForFile()
  for (const files of located) {
    const skill = readSkill(project, files, bytes)
    if (typeof skill === "string") skipped.push(`${files.entry}: ${skill}`)
    else if (skill !== undefined) skills.push(skill)
  }
  return { skills, skipped }
}

/** The skill of that name; reads no other. Throws when there is none, or none that can be read. */
export function requireSkill(project: string, name: string): Skill {
  const files = locateSkill(project, name)
  const skill = files && readSkill(project, files, roomForFile())
  if (files === undefined || skill === undefined) throw unknownSkill(project, name)
  if (typeof skill !== "string") return skill
  throw new McpExecError("E_STATE", `The skill ${files.name} cannot be shown: ${files.entry}: ${skill}`, {
    hint: "Open it in an editor.",
  })
}

/** The text of a file, or why it is not read. Reads into `bytes`, which must have room for one more than the largest. */
export function readSmallText(file: string, bytes: Buffer = roomForFile()): { text: string } | { problem: string } {
  try {
    const descriptor = openSync(file, "r")
    try {
      const length = readSync(descriptor, bytes)
      if (length > largestFile) return { problem: `it is larger than ${largestFile / 1024} KB` }
      const content = bytes.subarray(0, length)
      return content.includes(0) ? { problem: "it is not text" } : { text: content.toString("utf8") }
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    return { problem: `it cannot be read (${(error as NodeJS.ErrnoException).code ?? error})` }
  }
}

/** A skill, why it is none, or nothing to speak of: a folder that holds no skill. */
function readSkill(
  project: string,
  { name, isFolder, script, document }: SkillFiles,
  bytes: Buffer,
): Skill | string | undefined {
  const fromScript = script === undefined ? undefined : readScript(join(project, script), script, name, bytes)
  if (!isFolder || typeof fromScript === "string") return fromScript
  if (document === undefined) return fromScript?.form === "declared" ? fromScript : undefined
  const read = readSmallText(join(project, document), bytes)
  if ("problem" in read) return `SKILL.md: ${read.problem}`
  const { description, instructions, problems } = readFrontMatter(read.text, name)
  const own = fromScript?.form === "declared" ? fromScript.declaration.description : ""
  return {
    ...(fromScript ?? { name, form: "none" }),
    path: document,
    declaration: { name, ...fromScript?.declaration, description: own || description },
    instructions,
    problems: [...problems, ...(fromScript?.problems ?? [])],
  }
}

function readScript(file: string, path: string, name: string, bytes: Buffer): Skill | string {
  const read = readSmallText(file, bytes)
  if ("problem" in read) return read.problem
  return { name, path, script: path, ...readDeclaration(read.text, name) }
}

function roomForFile(): Buffer {
  return Buffer.allocUnsafe(largestFile + 1)
}
