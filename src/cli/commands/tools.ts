import type { Command } from "@commander-js/extra-typings"
import type { Tool } from "../../catalog.ts"
import type { ToolSummary } from "../../operations/list-tools.ts"
import { printable } from "../../printable.ts"
import { addGlobalOptions } from "../globals.ts"
import type { CliIo } from "../io.ts"
import type { Output } from "../output.ts"
import { alignColumns, firstLine, indentAfterFirst } from "../text.ts"
import { withContext } from "../with-context.ts"

/** `mcp-exec tools`: what a server offers right now. */
export function registerTools(program: Command, io: CliIo): void {
  const command = program
    .command("tools")
    .summary("list the tools of a server, or describe one")
    .description("Connects to a server and lists its tools, or describes one of them.")
    .argument("<server>", "the server, or server.tool")
    .argument("[tool]", "the tool to describe")
    .action(async (target, tool) => {
      await withContext(command, io, async ({ context, output }) => {
        const { listTools, summarizeTool } = await import("../../operations/list-tools.ts")
        const { server, tools } = await listTools(context, { target, tool })
        const [only] = tools
        const isOne = only !== undefined && (tool !== undefined || target !== server)
        if (output.json) output.printJson(isOne ? { server, tool: only } : { server, tools })
        else if (isOne) printTool(server, only, summarizeTool(server, only), output)
        else if (only === undefined) output.notice(`Server '${server}' has no tools.\n`)
        else output.print(alignColumns(tools.map(rowOf), io.columns))
      })
    })
  addGlobalOptions(command)
  command.addHelpText(
    "after",
    `
Examples:
  $ mcp-exec tools files
  $ mcp-exec tools files.read_text_file
  $ mcp-exec tools files --json | jq -r '.tools[].name'`,
  )
}

function rowOf(tool: Tool): string[] {
  return [printable(tool.name), firstLine(tool.description)]
}

function printTool(server: string, tool: Tool, { usage, parameters }: ToolSummary, output: Output): void {
  output.print(`${output.paint("bold", printable(`${server}.${tool.name}`))}\n`)
  const description = printable(tool.description).trim()
  if (description !== "") output.print(`\n  ${indentAfterFirst(description, "  ")}\n`)
  if (parameters.length > 0) {
    const rows = parameters.map(({ name, type, required, description = "", ...rest }) => {
      const fallback = "default" in rest ? `default ${JSON.stringify(rest.default)}` : "optional"
      return [`  ${name}`, type, required ? "required" : fallback, firstLine(description)].map(printable)
    })
    output.print(`\nArguments:\n${alignColumns(rows)}`)
  }
  output.print(`\nUsage:\n  ${printable(usage)}\n`)
}
