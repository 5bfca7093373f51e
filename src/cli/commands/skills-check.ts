import type { CommandUnknownOpts } from "@commander-js/extra-typings"
import type { CheckSkillsOutput } from "../../operations/skills/check-skills.ts"
import { printable } from "../../printable.ts"
import { addGlobalOptions } from "../globals.ts"
import type { CliIo } from "../io.ts"
import type { Output } from "../output.ts"
import { firstLine } from "../text.ts"
import { withContext } from "../with-context.ts"

/** `mcp-exec skills check`: are they still right? */
export function registerSkillsCheck(skills: CommandUnknownOpts, io: CliIo): void {
  const command = skills
    .command("check")
    .description(
      "check declarations, types against servers/, required servers, and whether tools have changed; exit 1 when something is wrong",
    )
    .argument("[name...]", "only these skills")
    .action(async (names) => {
      await withContext(command, io, async ({ context, output }) => {
        const { checkSkills } = await import("../../operations/skills/check-skills.ts")
        const result = await checkSkills(context, { names })
        if (result.skills.some(({ ok }) => !ok)) io.exitCode = 1
        if (output.json) output.printJson(result)
        else printResult(result, output)
      })
    })
  addGlobalOptions(command)
}

function printResult({ skills, notes }: CheckSkillsOutput, output: Output): void {
  for (const { name, path, ok, problems } of skills) {
    output.print(`${ok ? output.paint("green", "ok") : output.paint("red", "wrong")}  ${firstLine(name)}\n`)
    for (const { message, line, column } of problems) {
      const where = line === undefined ? "" : `${path}:${line}:${column ?? 1} `
      output.print(`  ${printable(`${where}${message}`).replaceAll("\n", "\n  ")}\n`)
    }
  }
  if (skills.length === 0) output.notice("There are no skills to check.\n")
  for (const note of notes) output.notice(`${printable(note)}\n`)
}
