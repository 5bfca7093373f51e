// One skill, from its files: what it says of itself, and what is wrong with that. It is never run.
import { closeSync, openSync, readSync } from "node:fs"
import { join } from "node:path"
import type { SkillDeclaration } from "../guest/skill-declaration.ts"
import { type DeclarationForm, readDeclaration } from "./read-declaration.ts"
import { readFrontMatter } from "./read-front-matter.ts"
import type { SkillFiles } from "./skill-files.ts"

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

/** What a list holds of a skill. Instructions can be long, and are read with the one skill that they belong to. */
export type ListedSkill = Omit<Skill, "instructions">

const largestFile = 256 * 1024

/** A skill, why it is none, or nothing to speak of: a folder that holds no skill. */
export async function readSkill(
  project: string,
  { name, isFolder, script, document }: SkillFiles,
  bytes: Buffer = roomForFile(),
): Promise<Skill | string | undefined> {
  const fromScript = script === undefined ? undefined : readScript(join(project, script), script, name, bytes)
  if (!isFolder || typeof fromScript === "string") return fromScript
  if (document === undefined) return fromScript?.form === "declared" ? fromScript : undefined
  const read = readSmallText(join(project, document), bytes)
  if ("problem" in read) return `SKILL.md: ${read.problem}`
  const { description, instructions, problems } = await readFrontMatter(read.text, name)
  const own = fromScript?.form === "declared" ? fromScript.declaration.description : ""
  return {
    ...(fromScript ?? { name, form: "none" }),
    path: document,
    declaration: { name, ...fromScript?.declaration, description: own || description },
    instructions,
    problems: [...problems, ...(fromScript?.problems ?? [])],
  }
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

/** To be used for one file after the other. */
export function roomForFile(): Buffer {
  return Buffer.allocUnsafe(largestFile + 1)
}

function readScript(file: string, path: string, name: string, bytes: Buffer): Skill | string {
  const read = readSmallText(file, bytes)
  if ("problem" in read) return read.problem
  return { name, path, script: path, ...readDeclaration(read.text, name) }
}
