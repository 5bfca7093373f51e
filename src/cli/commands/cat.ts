import type { Command } from "@commander-js/extra-typings"
import { addGlobalOptions } from "../globals.ts"
import type { CliIo } from "../io.ts"
import { printNamed } from "../views/named.ts"
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
      const source = options.source === true
      await withContext(command, io, ({ context, output }) => printNamed(context, output, { target, source }))
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
