import type { CommandUnknownOpts } from "@commander-js/extra-typings"
import type { DiscoverInitOutput } from "../../operations/discover/discover-init.ts"
import { printable } from "../../printable.ts"
import { addGlobalOptions } from "../globals.ts"
import type { CliIo } from "../io.ts"
import type { Output } from "../output.ts"
import { firstLine } from "../text.ts"
import { withContext } from "../with-context.ts"

/** `mcp-exec discover init`: which tools may be called, and how. */
export function registerDiscoverInit(program: CommandUnknownOpts, io: CliIo): void {
  const command = program
    .command("init")
    .summary("write discovery_config.json")
    .description(
      "Writes discovery_config.json beside the configuration: the tools that only read, with arguments\n" +
        "to try them. Calls no tool. What the file says already stays. Arguments that cannot be guessed are\n" +
        "left as <fill in: …>, and the tool is skipped until they are filled in.",
    )
    .argument("[server...]", "only the tools of these servers")
    .option("--llm [model]", "ask a model for arguments: anthropic (ANTHROPIC_API_KEY), claude (the program), or a URL")
    .option("--llm-model <name>", "which model of theirs")
    .option("--force", "write the file anew, whatever is in it")
    .action(async (servers, { llm, llmModel, force }) => {
      await withContext(command, io, async ({ context, output }) => {
        const { discoverInit } = await import("../../operations/discover/discover-init.ts")
        const wish = { provider: typeof llm === "string" ? llm : undefined, name: llmModel }
        const result = await discoverInit(context, {
          servers,
          ...((llm !== undefined || llmModel !== undefined) && { llm: wish }),
          force: force === true,
        })
        if (result.failures.length > 0) io.exitCode = 4
        if (output.json) output.printJson(result)
        else printSummary(result, output)
      })
    })
  addGlobalOptions(command)
}

function printSummary({ file, written, taken, kept, skipped, failures }: DiscoverInitOutput, output: Output): void {
  const print = (color: "green" | "yellow" | "red" | "dim", word: string, name: string, why: string) => {
    output.print(`${printable(name)}: ${output.paint(color, word)}: ${firstLine(why)}\n`)
  }
  for (const { server, tool, reason, blanks, by } of taken) {
    const filled = by === "model" ? "arguments from the model" : reason
    if (blanks.length > 0) print("yellow", "to be filled in", `${server}.${tool}`, blanks.join(", "))
    else print("green", "taken", `${server}.${tool}`, filled)
  }
  for (const { server, tool, safety, reason } of skipped)
    print("dim", `skipped, ${safety}`, `${server}.${tool}`, reason)
  for (const { server, error } of failures) print("red", `error[${error.code}]`, server, error.message)
  const ready = taken.filter(({ blanks }) => blanks.length === 0).length
  const counts = `${ready} taken, ${taken.length - ready} to be filled in, ${skipped.length} skipped`
  const others = kept > 0 ? `, ${kept} were there` : ""
  output.print(`${counts}${others}: ${written ? file : `${file} stays as it is`}\n`)
  if (written && ready > 0) output.notice("Look through the file, then run mcp-exec discover.\n")
}
