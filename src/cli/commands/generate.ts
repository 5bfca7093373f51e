import { type Command, InvalidArgumentError } from "@commander-js/extra-typings"
import type { GenerateOutput } from "../../operations/generate.ts"
import { printable } from "../../printable.ts"
import { addGlobalOptions } from "../globals.ts"
import type { CliIo } from "../io.ts"
import type { Output } from "../output.ts"
import { firstLine } from "../text.ts"
import { withContext } from "../with-context.ts"

const mostShown = 10

/** `mcp-exec generate`: servers become TypeScript in servers/. */
export function registerGenerate(program: Command, io: CliIo): void {
  const command = program
    .command("generate")
    .summary("write what the servers offer to servers/, as TypeScript")
    .description(
      "Connects to every enabled server and writes its tools to servers/, beside the configuration, as typed functions.\n" +
        "A server that fails keeps the files it had, and makes the exit code 4.",
    )
    .argument("[server...]", "only these servers; the files of the others stay as they are")
    .option("--check", "write nothing; exit 1 when something is stale")
    .option("--concurrency <n>", "how many servers are asked at once (default: 16)", parseCount)
    .action(async (servers, { check, concurrency }) => {
      await withContext(command, io, async ({ context, output }) => {
        const { generate } = await import("../../operations/generate.ts")
        const result = await generate(context, { servers, check: check === true, concurrency })
        if (result.servers.some(({ ok }) => !ok)) io.exitCode = 4
        else if (result.stale !== undefined && result.stale.length > 0) io.exitCode = 1
        if (output.json) output.printJson(result)
        else printSummary(result, output)
      })
    })
  addGlobalOptions(command)
  command.addHelpText(
    "after",
    `
Examples:
  $ mcp-exec generate
  $ mcp-exec generate github files
  $ mcp-exec generate --check`,
  )
}

function printSummary({ servers, stale, ...files }: GenerateOutput, output: Output): void {
  if (servers.length === 0) output.notice("The configuration names no server that is enabled.\n")
  for (const { name, error } of servers) {
    if (error === undefined) continue
    const code = output.paint("red", `error[${error.code}]`)
    output.print(`${printable(name)}: ${code}: ${firstLine(error.message)}\n`)
  }
  const found = servers.filter(({ ok }) => ok)
  const tools = found.reduce((sum, server) => sum + (server.tools ?? 0), 0)
  const typed = found.reduce((sum, server) => sum + (server.typedResults ?? 0), 0)
  const failed = servers.length - found.length
  const subject =
    `${count(found.length, "server")}, ${count(tools, "tool")} (${typed} with typed results)` +
    (failed === 0 ? "" : `, ${failed} failed`)
  const { written, unchanged, removed } = files
  if (stale === undefined) {
    output.print(
      `${subject}: ${count(written, "file")} written, ${unchanged} unchanged, ${removed} removed in servers/\n`,
    )
  } else if (stale.length === 0) {
    output.print(`${subject}: servers/ is up to date\n`)
  } else {
    const more = stale.length > mostShown ? `, and ${stale.length - mostShown} more` : ""
    output.print(`${subject}: servers/ is stale, ${written} to write, ${removed} to remove: `)
    output.print(`${stale.slice(0, mostShown).map(printable).join(", ")}${more}\n`)
  }
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`
}

function parseCount(text: string): number {
  const number = Number(text)
  if (text.trim() !== "" && Number.isInteger(number) && number > 0) return number
  throw new InvalidArgumentError("It must be a whole number above 0.")
}
