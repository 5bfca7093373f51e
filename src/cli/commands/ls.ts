import type { Command } from "@commander-js/extra-typings"
import type { GeneratedOffer, GeneratedServerSummary, GeneratedToolSummary } from "../../operations/list-generated.ts"
import { printable } from "../../printable.ts"
import { addGlobalOptions } from "../globals.ts"
import type { CliIo } from "../io.ts"
import { firstLine, shortDescription } from "../text.ts"
import { withContext } from "../with-context.ts"

// What agents read costs tokens: no columns.
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
          const lines = [...result.tools.map(toolLine), ...otherLines(result.server, result)]
          if (lines.length === 0) output.notice(`Server '${printable(result.server)}' has no tools.\n`)
          output.print(lines.join(""))
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

function serverLine({ name, tools, prompts, resources, description = "" }: GeneratedServerSummary): string {
  const counts = [
    count(tools, "tool"),
    ...(prompts === undefined ? [] : [count(prompts, "prompt")]),
    ...(resources === undefined ? [] : [count(resources, "resource")]),
  ]
  return line([name, counts.join(", "), shortDescription(description)])
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`
}

/** Prompts and resources, in the form in which a script asks for them. */
function otherLines(server: string, { prompts = [], resources }: GeneratedOffer): string[] {
  const ofPrompts = prompts.map((prompt) => line([`${prompt.export}(prompt)`, shortDescription(prompt.description)]))
  if (resources === undefined) return ofPrompts
  const { count: total, listed, templates = {} } = resources
  const known = Object.entries(listed ?? {}).map(([uri, text]) =>
    line([`readResource("${uri}")`, shortDescription(text)]),
  )
  const many = `readResource(uri)  ${count(total, "resource")}: mcp-exec cat ${server}.readResource`
  const ofTemplates = Object.entries(templates).map(([uri, { export: exported, description }]) => {
    return line([`${exported ?? "readResource"}(${uri})`, shortDescription(description)])
  })
  return [...ofPrompts, ...(listed === undefined && total > 0 ? [line([many])] : known), ...ofTemplates]
}

/** The function's name, then the tool's where it is another. */
function toolLine({ name, export: exported, tags, description }: GeneratedToolSummary): string {
  const notes = [...(name === exported ? [] : [name]), ...tags]
  return line([notes.length === 0 ? exported : `${exported}(${notes.join(", ")})`, shortDescription(description)])
}

function line(parts: string[]): string {
  const text = parts.filter((part) => part !== "").join("  ")
  return `${firstLine(text)}\n`
}
