import type { CommandUnknownOpts } from "@commander-js/extra-typings"
import type { ToolStatus } from "../../operations/discover/discover-status.ts"
import { printable } from "../../printable.ts"
import { addGlobalOptions } from "../globals.ts"
import type { CliIo } from "../io.ts"
import type { Output } from "../output.ts"
import { withContext } from "../with-context.ts"

/** `mcp-exec discover status`: how good the types of results are. */
export function registerDiscoverStatus(program: CommandUnknownOpts, io: CliIo): void {
  const command = program
    .command("status")
    .summary("tell how good the types of results are")
    .description(
      "Lists the generated tools by the quality of their results' types: declared by the server,\n" +
        "discovered, drifted (results no longer fit; what has changed is told), or unknown. Starts no server.",
    )
    .argument("[server[.tool]...]", "only these")
    .action(async (targets) => {
      await withContext(command, io, async ({ context, output }) => {
        const { discoverStatus } = await import("../../operations/discover/discover-status.ts")
        const result = await discoverStatus(context, { targets })
        if (output.json) output.printJson(result)
        else printStatus(result.tools, output)
      })
    })
  addGlobalOptions(command)
}

const colors = { declared: "green", discovered: "green", drifted: "red", unknown: "yellow" } as const

function printStatus(tools: readonly ToolStatus[], output: Output): void {
  for (const { server, tool, quality, samples, changes = [], observed } of tools) {
    const notes = [
      ...(samples === undefined || quality === "declared" ? [] : [count(samples, "sample")]),
      ...(observed === undefined ? [] : [`${observed} observed`]),
      ...(changes.length === 0 ? [] : [changes.join("; ")]),
    ]
    const words = notes.length === 0 ? "" : `: ${notes.join(", ")}`
    output.print(`${printable(`${server}.${tool}`)}: ${output.paint(colors[quality], quality)}${printable(words)}\n`)
  }
  const of = (quality: ToolStatus["quality"]) => tools.filter((tool) => tool.quality === quality).length
  const counts = (["declared", "discovered", "drifted", "unknown"] as const).map((each) => `${of(each)} ${each}`)
  output.print(`${counts.join(", ")}\n`)
  if (of("drifted") > 0)
    output.notice("mcp-exec discover, with the drifted tools named, makes their types true again.\n")
  if (tools.some(({ observed }) => observed !== undefined)) {
    output.notice("mcp-exec discover --from-observed makes types of what was observed.\n")
  }
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`
}
