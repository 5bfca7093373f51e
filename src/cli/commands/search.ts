import { Argument, type Command, InvalidArgumentError, Option } from "@commander-js/extra-typings"
import { searchDetails } from "../../operations/search/details.ts"
import { addGlobalOptions } from "../globals.ts"
import type { CliIo } from "../io.ts"
import { parseLimit, printFound } from "../views/found.ts"
import { withContext } from "../with-context.ts"

/** `mcp-exec search`: which tool or skill does what the words say. */
export function registerSearch(program: Command, io: CliIo): void {
  const command = program
    .command("search")
    .summary("find tools and skills by words")
    .description("Finds generated tools and skills, best first. Starts no server.")
    .addArgument(new Argument("<words...>", "what it should do, or a part of its name"))
    .addOption(
      new Option("--detail <level>", "how much is said of each: its name, a line, or what cat prints")
        .choices(searchDetails)
        .default("description" as const),
    )
    .option("--server <name>", "only tools of this server")
    .option("--limit <n>", "at most so many", readLimit, 10)
    .action(async (words, { detail, server, limit }) => {
      const input = { query: words.join(" "), detail, server, limit }
      await withContext(command, io, ({ context, output }) => printFound(context, output, input))
    })
  addGlobalOptions(command)
  command.addHelpText(
    "after",
    `
Examples:
  $ mcp-exec search open issues
  $ mcp-exec search "read a file" --server files --limit 3
  $ mcp-exec search create issue --detail full`,
  )
}

function readLimit(text: string): number {
  const limit = parseLimit(text)
  if (limit !== undefined) return limit
  throw new InvalidArgumentError("It must be a whole number from 1 to 100.")
}
