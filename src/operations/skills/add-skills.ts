// Adds skills from somewhere else. They are fetched as text, looked at, and copied; nothing runs. Their hashes go
// into the lock: `exec` refuses a skill that has changed since, until it is approved.
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { z } from "zod"
import { McpExecError } from "../../errors.ts"
import { hashText } from "../../skills/hash-text.ts"
import { readLock } from "../../skills/lock.ts"
import { locateSkill, skillsFolder } from "../../skills/skill-files.ts"
import { problemWithName } from "../../skills/skill-name.ts"
import { fetchSource } from "../../skills/sources/fetch-source.ts"
import { type IncomingSkill, skillsIn } from "../../skills/sources/skills-in.ts"
import { parseSource, type Source } from "../../skills/sources/source.ts"
import { nearMiss } from "../../suggest.ts"
import type { OperationContext } from "../context.ts"
import { changeSkills } from "./change-skills.ts"
import { checkCovered } from "./check-covered.ts"
import { readProject } from "./project.ts"
import { checkFree } from "./write-skill.ts"

export const addSkillsInput = z.object({
  source: z.string().describe("a path, a git or https address, or an npm package"),
  skills: z.array(z.string()).default([]).describe("only these of the source; all when empty"),
  force: z.boolean().default(false).describe("replace skills of the same name"),
})

export type AddSkillsInput = z.input<typeof addSkillsInput>

export interface AddSkillsOutput {
  source: string
  directory: string
  added: { name: string; files: string[]; problems: string[] }[]
}

/** Adds the skills of a source. When one cannot be added, none is. */
export async function addSkills(
  context: OperationContext,
  input: z.input<typeof addSkillsInput>,
): Promise<AddSkillsOutput> {
  const { source: given, skills: wanted, force } = addSkillsInput.parse(input)
  const { directory } = await readProject(context)
  readLock(directory) // one that is broken is told before anything is fetched
  const source = parseSource(given, context.cwd)
  const found = await skillsIn(await fetchSource(source, context.env), titleOf(source))
  const skills = choose(found, wanted, given)
  for (const { name, links, files } of skills) {
    checkCovered(name, links, files)
    const problem = problemWithName(name)
    if (problem !== undefined)
      throw new McpExecError("E_USAGE", `A skill of ${given} cannot be added: ${problem}`, {
        hint: "Copy it by hand under another name.",
      })
  }
  await changeSkills(directory, (lock, save) => {
    for (const { name, files } of skills) {
      checkFree(directory, name, force)
      const hashes = [...files].map(([path, text]) => [path, hashText(text)] as const)
      lock.set(name, { source: sourceText(source, given, directory), files: Object.fromEntries(hashes) })
    }
    save()
    install(directory, skills)
  })
  const added = skills.map(({ name, files, problems }) => ({ name, files: [...files.keys()], problems }))
  return { source: given, directory, added }
}

function choose(found: IncomingSkill[], wanted: readonly string[], given: string): IncomingSkill[] {
  if (found.length === 0) {
    throw new McpExecError("E_USAGE", `There is no skill in ${given}`, {
      hint: "A skill is a script with `export default skill(…)` or a header comment, or a folder with a SKILL.md.",
    })
  }
  if (wanted.length === 0) return found
  const names = found.map(({ name }) => name)
  return [...new Set(wanted)].map((name) => {
    const skill = found.find((each) => each.name === name)
    if (skill !== undefined) return skill
    throw new McpExecError("E_SKILL_UNKNOWN", `There is no skill '${name}' in ${given}`, {
      hint: nearMiss(name, names, "There are"),
    })
  })
}

/** All are written beside their places first; only then do they move there. */
function install(project: string, skills: readonly IncomingSkill[]): void {
  const folder = join(project, skillsFolder)
  const staging = mkdtempSync(join(folder, ".adding-"))
  try {
    for (const { files } of skills) {
      for (const [path, text] of files) {
        mkdirSync(dirname(join(staging, path)), { recursive: true })
        writeFileSync(join(staging, path), text)
      }
    }
    for (const { name, files } of skills) {
      const old = locateSkill(project, name)
      if (old !== undefined) rmSync(join(project, old.entry), { recursive: true, force: true })
      const [first = ""] = files.keys()
      const [entry = ""] = first.split("/")
      renameSync(join(staging, entry), join(folder, entry))
    }
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}

function titleOf(source: Source): string {
  if (source.kind === "path") return basename(source.path)
  if (source.kind === "npm") return source.spec.replace(/(?<=.)@.*$/, "").replace(/^@[^/]*\//, "")
  if (source.kind === "git" && source.folder !== undefined) return basename(source.folder)
  return basename(source.url.replace(/\/$/, "")).replace(/\.git$/, "")
}

/** Without what an address may hold of a secret; a path in the project stays as it is written. */
function sourceText(source: Source, given: string, project: string): string {
  if (source.kind === "path")
    return source.path.startsWith(`${project}/`) ? source.path.slice(project.length + 1) : given
  return given.replace(/^([a-z+]+:\/\/)[^/]*@/i, "$1").replace(/[?].*$/, "")
}
