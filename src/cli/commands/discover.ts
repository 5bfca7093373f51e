import { type Command, InvalidArgumentError } from "@commander-js/extra-typings"
import { McpExecError } from "../../errors.ts"
import type { DiscoveredTool, DiscoverOutput } from "../../operations/discover/discover.ts"
import { printable } from "../../printable.ts"
import { addGlobalOptions } from "../globals.ts"
import type { CliIo } from "../io.ts"
import type { Output } from "../output.ts"
import { firstLine } from "../text.ts"
import { withContext } from "../with-context.ts"
import { registerDiscoverInit } from "./discover-init.ts"
import { registerDiscoverStatus } from "./discover-status.ts"

/** `mcp-exec discover`: types of results, from what tools answer. */
export function registerDiscover(program: Command, io: CliIo): void {
  const command = program
    .command("discover")
    .summary("learn the types of results from what tools answer")
    .description(
      "Calls the tools that discovery_config.json lists, and writes the types of their results to\n" +
        "servers/, where the wrappers use them. Only the shape of results is kept. A tool that may change\n" +
        "something is refused, also when the file lists it.",
    )
    .argument("[server[.tool]...]", "only these; all that are listed when absent")
    .option(
      "--samples <n>",
      "call each tool this often, and count each call (default: once for each of its arguments)",
      parseCount,
    )
    .option("--merge", "add to what is known (default)")
    .option("--no-merge", "forget what is known of these tools' results")
    .option("--from-observed", 'call nothing: take what calls of scripts have taught ("discovery": "observe")')
    .option("--include-dangerous", "also call tools that may change something")
    .action(async (targets, { samples, merge, fromObserved, includeDangerous }) => {
      if (fromObserved === true && (samples !== undefined || includeDangerous === true)) {
        throw new McpExecError("E_USAGE", "--from-observed calls nothing", {
          hint: "It goes without --samples and --include-dangerous.",
        })
      }
      await withContext(command, io, async ({ context, output }) => {
        const { discover } = await import("../../operations/discover/discover.ts")
        const result = await discover(context, {
          targets,
          samples,
          merge: merge !== false,
          fromObserved: fromObserved === true,
          includeDangerous: includeDangerous === true,
        })
        if (hasFailed(result)) io.exitCode = 1
        if (output.json) output.printJson(result)
        else if (fromObserved === true && result.tools.length === 0) {
          const isOn = (await context.config()).discovery === "observe"
          output.notice(isOn ? "Nothing was observed since the last time.\n" : observationIsOff)
        } else printSummary(result, output)
      })
    })
  addGlobalOptions(command)
  registerDiscoverInit(command, io)
  registerDiscoverStatus(command, io)
  command.addHelpText(
    "after",
    `
Examples:
  $ mcp-exec discover init
  $ mcp-exec discover
  $ mcp-exec discover github.list_issues --samples 5
  $ mcp-exec discover --from-observed`,
  )
}

const observationIsOff =
  'Nothing was observed: write "discovery": "observe" into the configuration, beside "mcpServers".\n'

/** Nothing was learned although something should have been. */
function hasFailed({ tools }: DiscoverOutput): boolean {
  const outcomes = new Set(tools.map(({ outcome }) => outcome))
  return !outcomes.has("discovered") && (outcomes.has("failed") || outcomes.has("refused"))
}

function printSummary({ tools, failures }: DiscoverOutput, output: Output): void {
  for (const each of tools) output.print(`${lineFor(each, output)}\n`)
  for (const { server, error } of failures) {
    output.log("warning", `${server}: its types are written, its wrappers are not: ${error.message}`)
  }
  const count = (outcome: DiscoveredTool["outcome"]) => tools.filter((each) => each.outcome === outcome).length
  if (tools.length === 0) {
    output.notice("discovery_config.json lists no tool.\n")
    return
  }
  const refused = count("refused")
  const parts = [
    `${count("discovered")} discovered`,
    `${count("failed")} failed`,
    `${count("skipped")} skipped`,
    ...(refused > 0 ? [`${refused} refused`] : []),
  ]
  output.print(`${parts.join(", ")}\n`)
  if (tools.some(({ samples, reason }) => samples === 1 && reason === undefined)) {
    output.notice(
      "After one sample every member is optional. Several arguments in discovery_config.json, or --samples,\n" +
        "tell which members are always there; the same call in another run does not.\n",
    )
  }
  if (refused > 0) output.notice("A tool that may change something is called with --include-dangerous only.\n")
}

function lineFor({ server, tool, outcome, ...rest }: DiscoveredTool, output: Output): string {
  const name = printable(`${server}.${tool}`)
  if (outcome !== "discovered") {
    const color = outcome === "skipped" ? "yellow" : "red"
    const { error, reason } = rest
    const why = error === undefined ? printable(reason ?? "") : `error[${error.code}] ${firstLine(error.message)}`
    return `${name}: ${output.paint(color, outcome)}: ${why}`
  }
  const { samples = 0, changes = [], error, reason } = rest
  const notes = [
    `${samples} sample${samples === 1 ? "" : "s"}`,
    ...(error === undefined ? [] : [`some calls failed: ${firstLine(error.message)}`]),
    ...(changes.length === 0 ? [] : [`changed: ${changes.join("; ")}`]),
    ...(reason === undefined ? [] : [reason]),
  ]
  return `${name}: ${output.paint("green", outcome)}: ${printable(notes.join("; "))}`
}

function parseCount(text: string): number {
  const number = Number(text)
  if (text.trim() !== "" && Number.isInteger(number) && number > 0 && number <= 1000) return number
  throw new InvalidArgumentError("It must be a whole number from 1 to 1000.")
}
