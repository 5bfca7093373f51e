import type { Command } from "@commander-js/extra-typings"
import type { GeneratedServerSummary, GeneratedToolSummary } from "../../operations/list-generated.ts"
import { printable } from "../../printable.ts"
import { addGlobalOptions } from "../globals.ts"
import type { CliIo } from "../io.ts"
import { firstLine } from "../text.ts"
import { withContext } from "../with-context.ts"

// What agents read costs tokens: no columns, and of a description only as much as tells tools apart.
const maxDescription = 72

/** `mcp-exec ls`: what has been generated, one line each. */
export function registerLs(program: Command, io: CliIo): void {
  const command = program
    .command("ls")
    .summary("list the generated servers, or the tools of one")
    .description("Lists what generate has written to servers/, one line each. Starts no server.")
    .argument("[server]", "a server, to list its tools; `servers` or nothing lists all servers")
    .action(async (word) => {
      await withContext(command, io, async ({ context, output }) => {
        const { listGenerated } = await import("../../operations/list-generated.ts")
        const result = await listGenerated(context, { server: word === "servers" ? undefined : word })
        if (output.json) output.printJson(result)
        else if ("tools" in result) {
          if (result.tools.length === 0) output.notice(`Server '${printable(result.server)}' has no tools.\n`)
          output.print(result.tools.map(toolLine).join(""))
        } else {
          if (result.servers.length === 0) output.notice("There are no generated servers.\n")
          output.print(result.servers.map(serverLine).join(""))
        }
      })
    })
  addGlobalOptions(command)
  command.addHelpText(
    "after",
    `
Examples:
  $ mcp-exec ls
  $ mcp-exec ls github
  $ mcp-exec ls github --json | jq -r '.tools[].export'`,
  )
}

function serverLine({ name, tools, description = "" }: GeneratedServerSummary): string {
  return line([name, `${tools} ${tools === 1 ? "tool" : "tools"}`, shorten(description)])
}

/** The function's name, then the tool's where it is another. */
function toolLine({ name, export: exported, tags, description }: GeneratedToolSummary): string {
  const notes = [...(name === exported ? [] : [name]), ...tags]
  return line([notes.length === 0 ? exported : `${exported}(${notes.join(", ")})`, shorten(description)])
}

function line(parts: string[]): string {
  const text = parts.filter((part) => part !== "").join("  ")
  return `${firstLine(text)}\n`
}

/** The first sentence, cut between words. */
function shorten(description: string): string {
  const text = firstLine(description)
  const sentence = /^.*?[.!?](?=\s|$)/.exec(text)?.[0].slice(0, -1) ?? text
  if (sentence.length <= maxDescription) return sentence
  const start = sentence.slice(0, maxDescription).toWellFormed()
  return `${start.replace(/\s+\S*$/, "")}…`
}
