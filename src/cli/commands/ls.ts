import type { Command } from "@commander-js/extra-typings"
import { addGlobalOptions } from "../globals.ts"
import type { CliIo } from "../io.ts"
import { printList } from "../views/list.ts"
import { withContext } from "../with-context.ts"

/** `mcp-exec ls`: skills, and what has been generated, one line each. */
export function registerLs(program: Command, io: CliIo): void {
  const command = program
    .command("ls")
    .summary("list skills and generated servers, or the tools of one server")
    .description(
      "Lists skills, and what generate has written to servers/, one line each. Runs no skill, starts no server.",
    )
    .argument("[server]", "a server, to list its tools; `skills` or `servers` for these alone; nothing for both")
    .action(async (word) => {
      await withContext(command, io, ({ context, output }) => printList(context, output, word))
    })
  addGlobalOptions(command)
  command.addHelpText(
    "after",
    `
Examples:
  $ mcp-exec ls
  $ mcp-exec ls skills
  $ mcp-exec ls github
  $ mcp-exec ls github --json | jq -r '.tools[].export'`,
  )
}
