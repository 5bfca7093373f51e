import type { Command, CommandUnknownOpts } from "@commander-js/extra-typings"
import type { SkillSummary } from "../../operations/skills/list-skills.ts"
import { printable } from "../../printable.ts"
import { addGlobalOptions } from "../globals.ts"
import type { CliIo } from "../io.ts"
import { firstLine, shortDescription } from "../text.ts"
import { withContext } from "../with-context.ts"
import { registerSkillsCheck } from "./skills-check.ts"
import { registerSkillsSave } from "./skills-save.ts"
import { registerSkillsShare } from "./skills-share.ts"

/** `mcp-exec skills`: workflows that are kept, as files in skills/. */
export function registerSkills(program: Command, io: CliIo): void {
  const skills = program
    .command("skills")
    .summary("list, make, check and share skills")
    .description(
      "Skills are scripts in skills/, beside the configuration, whose parameters are command-line arguments.\n" +
        "Run one with mcp-exec exec <name>. No command here runs a skill.",
    )
  addGlobalOptions(skills)
  registerList(skills, io)
  registerShow(skills, io)
  registerNew(skills, io)
  registerSkillsSave(skills, io)
  registerSkillsCheck(skills, io)
  registerSkillsShare(skills, io)
  registerRemove(skills, io)
  skills.addHelpText(
    "after",
    `
Examples:
  $ mcp-exec skills new weekly-report
  $ mcp-exec skills save weekly-report --description "What happened this week"
  $ mcp-exec skills check
  $ mcp-exec skills add https://github.com/acme/skills
  $ mcp-exec skills export --to claude`,
  )
}

function registerList(skills: CommandUnknownOpts, io: CliIo): void {
  const command = skills
    .command("list")
    .description("list the skills, one line each")
    .action(async () => {
      await withContext(command, io, async ({ context, output }) => {
        const { listSkills } = await import("../../operations/skills/list-skills.ts")
        const result = await listSkills(context)
        if (output.json) output.printJson(result)
        else if (result.skills.length === 0) output.notice("There are none. Make one: mcp-exec skills new my-skill\n")
        else output.print(result.skills.map(skillLine).join(""))
      })
    })
  addGlobalOptions(command)
}

/** As in `ls`: no columns, because what agents read costs tokens. */
function skillLine({ name, description }: SkillSummary): string {
  const text = shortDescription(description)
  return `${firstLine(text === "" ? name : `${name}  ${text}`)}\n`
}

function registerShow(skills: CommandUnknownOpts, io: CliIo): void {
  const command = skills
    .command("show")
    .description("print what a skill does and how it is called, as cat does")
    .argument("<name>", "the skill")
    .option("--source", "print its code")
    .action(async (name, options) => {
      await withContext(command, io, async ({ context, output }) => {
        const { showSkill } = await import("../../operations/skills/show-skill.ts")
        const shown = await showSkill(context, { name, source: options.source === true })
        if (output.json) output.printJson(shown)
        else output.print(printable(shown.text))
      })
    })
  addGlobalOptions(command)
}

function registerNew(skills: CommandUnknownOpts, io: CliIo): void {
  const command = skills
    .command("new")
    .description("write skills/<name>.ts: a small skill that runs as it is, to be changed")
    .argument("<name>", "lower-case words with hyphens")
    .option("--description <text>", "what it does, in a sentence")
    .option("--force", "write over a skill of that name")
    .action(async (name, { description, force }) => {
      await withContext(command, io, async ({ context, output }) => {
        const { newSkill } = await import("../../operations/skills/new-skill.ts")
        const made = await newSkill(context, { name, description, force: force === true })
        if (output.json) output.printJson(made)
        else output.print(`${made.path}\nRun it: mcp-exec exec ${name}\n`)
      })
    })
  addGlobalOptions(command)
}

function registerRemove(skills: CommandUnknownOpts, io: CliIo): void {
  const command = skills
    .command("remove")
    .description("delete a skill: its file or folder, what the lock file says of it, and what was exported of it")
    .argument("<name>", "the skill")
    .action(async (name) => {
      await withContext(command, io, async ({ context, output }) => {
        const { removeSkill } = await import("../../operations/skills/remove-skill.ts")
        const removed = await removeSkill(context, { name })
        if (output.json) output.printJson(removed)
        else output.print([removed.path, ...removed.exports].map((path) => `removed ${printable(path)}\n`).join(""))
      })
    })
  addGlobalOptions(command)
}
