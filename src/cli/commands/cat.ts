import type { Command } from "@commander-js/extra-typings"
import { printable } from "../../printable.ts"
import { addGlobalOptions } from "../globals.ts"
import type { CliIo } from "../io.ts"
import { withContext } from "../with-context.ts"

/** `mcp-exec cat`: what one must know of a generated tool to call it. */
export function registerCat(program: Command, io: CliIo): void {
  const command = program
    .command("cat")
    .summary("print the types of a generated tool, or what a server has")
    .description(
      "Prints what a script must know to call a generated tool: description, types, signature. Starts no server.",
    )
    .argument("<server.tool>", "the tool or prompt, by its name or its function's; or a server")
    .option("--source", "print the generated file itself")
    .action(async (target, options) => {
      await withContext(command, io, async ({ context, output }) => {
        const { showGenerated } = await import("../../operations/show-generated.ts")
        const source = options.source === true
        const shown = await showGenerated(context, { target, source })
        if (output.json) output.printJson(shown)
        else if (shown.import === undefined || source) output.print(printable(shown.text))
        else output.print(printable(`${shown.import}\n${shown.text}`))
      })
    })
  addGlobalOptions(command)
  command.addHelpText(
    "after",
    `
Examples:
  $ mcp-exec cat github.list_issues
  $ mcp-exec cat github.listIssues --source
  $ mcp-exec cat github`,
  )
}
