// Skills that come from somewhere else, and skills for other programs.
import { type CommandUnknownOpts, Option } from "@commander-js/extra-typings"
import { McpExecError } from "../../errors.ts"
import { printable } from "../../printable.ts"
import { addGlobalOptions } from "../globals.ts"
import type { CliIo } from "../io.ts"
import { withContext } from "../with-context.ts"

export function registerSkillsShare(skills: CommandUnknownOpts, io: CliIo): void {
  registerAdd(skills, io)
  registerApprove(skills, io)
  registerExport(skills, io)
}

function registerAdd(skills: CommandUnknownOpts, io: CliIo): void {
  const command = skills
    .command("add")
    .description(
      "copy skills from somewhere else into skills/. Nothing is run; exec refuses them when they change, until they are approved",
    )
    .argument("<source>", "a file or folder, a git address, the https address of a .ts file, or an npm package")
    .option("--skill <name...>", "only these of the source")
    .option("--force", "replace skills of the same name")
    .action(async (source, { skill, force }) => {
      await withContext(command, io, async ({ context, output }) => {
        const { addSkills } = await import("../../operations/skills/add-skills.ts")
        const result = await addSkills(context, { source, skills: skill, force: force === true })
        if (output.json) return output.printJson(result)
        for (const { name, files, problems } of result.added) {
          output.print(`added ${printable(name)}: read ${printable(placeOf(files))} before you run it\n`)
          for (const problem of problems) output.notice(`  ${printable(problem)}\n`)
        }
      })
    })
  addGlobalOptions(command)
}

/** `skills/alpha.ts`, `skills/beta/ (3 files)` */
function placeOf([first = "", ...others]: readonly string[]): string {
  const [folder = "", inFolder] = first.split("/")
  if (inFolder === undefined) return `skills/${first}`
  return `skills/${folder}/ (${others.length === 0 ? "1 file" : `${others.length + 1} files`})`
}

function registerApprove(skills: CommandUnknownOpts, io: CliIo): void {
  const command = skills
    .command("approve")
    .description("accept an added skill as it is now")
    .argument("<name>", "the skill")
    .action(async (name) => {
      await withContext(command, io, async ({ context, output }) => {
        const { approveSkill } = await import("../../operations/skills/approve-skill.ts")
        const approved = await approveSkill(context, { name })
        if (output.json) return output.printJson(approved)
        const { changed } = approved
        output.print(
          changed.length === 0 ? `${name} has not changed\n` : `approved ${name}: ${printable(changed.join(", "))}\n`,
        )
      })
    })
  addGlobalOptions(command)
}

function registerExport(skills: CommandUnknownOpts, io: CliIo): void {
  const command = skills
    .command("export")
    .description("write a SKILL.md for each skill where agents look for them: .claude/skills or .agents/skills")
    .argument("[name...]", "only these skills")
    .addOption(new Option("--to <program>", "whose folder").choices(["claude", "agents"]).makeOptionMandatory())
    .option("--force", "write over files that mcp-exec has not written")
    .action(async (names, options) => {
      await withContext(command, io, async ({ context, output }) => {
        const { exportSkills } = await import("../../operations/skills/export-skills.ts")
        const to = options.to as "claude" | "agents"
        const result = await exportSkills(context, { to, names, force: options.force === true })
        const { written, unchanged, refused } = result
        if (refused.length > 0) io.exitCode = 1
        if (output.json) return output.printJson(result)
        for (const path of written) output.print(`wrote ${printable(path)}\n`)
        for (const { error } of refused) output.error(new McpExecError(error.code, error.message, { hint: error.hint }))
        if (written.length + refused.length === 0) {
          output.notice(unchanged.length === 0 ? "There are no skills to export.\n" : "All are up to date.\n")
        }
      })
    })
  addGlobalOptions(command)
}
