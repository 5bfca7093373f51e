import { Argument, type Command, InvalidArgumentError, Option } from "@commander-js/extra-typings"
import type { FoundTool } from "../../operations/search/search-tools.ts"
import { printable } from "../../printable.ts"
import { addGlobalOptions } from "../globals.ts"
import type { CliIo } from "../io.ts"
import { firstLine, shortDescription } from "../text.ts"
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
        .choices(["name", "description", "full"] as const)
        .default("description" as const),
    )
    .option("--server <name>", "only tools of this server")
    .option("--limit <n>", "at most so many", parseLimit, 10)
    .action(async (words, { detail, server, limit }) => {
      await withContext(command, io, async ({ context, output }) => {
        const { searchTools } = await import("../../operations/search/search-tools.ts")
        const result = await searchTools(context, { query: words.join(" "), detail, server, limit })
        if (output.json) output.printJson(result)
        else if (result.hits.length === 0) output.notice("Nothing fits. Try other words, or mcp-exec ls.\n")
        else output.print(result.hits.map(show).join(detail === "full" ? "\n" : ""))
      })
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

function show({ kind, name, description, text }: FoundTool): string {
  if (text !== undefined) return printable(text)
  const label = kind === "skill" ? `${name} (skill)` : name
  const line = [label, shortDescription(description ?? "")].filter((part) => part !== "").join("  ")
  return `${firstLine(line)}\n`
}

function parseLimit(text: string): number {
  const number = Number(text)
  if (text.trim() !== "" && Number.isInteger(number) && number > 0 && number <= 100) return number
  throw new InvalidArgumentError("It must be a whole number from 1 to 100.")
}
