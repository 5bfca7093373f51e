import type { Command } from "@commander-js/extra-typings"
import { printable } from "../../printable.ts"
import { addGlobalOptions } from "../globals.ts"
import type { CliIo } from "../io.ts"
import { withContext } from "../with-context.ts"

/** `mcp-exec cat`: what one must know of a skill to run it, or of a generated tool to call it. */
export function registerCat(program: Command, io: CliIo): void {
  const command = program
    .command("cat")
    .summary("print how a skill is run, the types of a generated tool, or what a server has")
    .description(
      "Prints what one must know to run a skill or to call a generated tool: description, arguments or types.\n" +
        "Runs no skill, starts no server.",
    )
    .argument("<skill|server.tool>", "the skill; the tool or prompt, by its name or its function's; or a server")
    .option("--source", "print the file itself")
    .action(async (target, options) => {
      await withContext(command, io, async ({ context, output }) => {
        const { showNamed } = await import("../../operations/skills/show-named.ts")
        const source = options.source === true
        const shown = await showNamed(context, { target, source })
        if (output.json) output.printJson(shown)
        else if ("skill" in shown) {
          output.print(printable(shown.text))
          if (shown.isServerToo) output.notice(`There is a server ${target}, too: mcp-exec ls ${target}\n`)
        } else if (shown.import === undefined || source) output.print(printable(shown.text))
        else output.print(printable(`${shown.import}\n${shown.text}`))
      })
    })
  addGlobalOptions(command)
  command.addHelpText(
    "after",
    `
Examples:
  $ mcp-exec cat weekly-report
  $ mcp-exec cat github.list_issues
  $ mcp-exec cat github.listIssues --source
  $ mcp-exec cat github`,
  )
}
