import type { Command } from "@commander-js/extra-typings"
import type { ListedServer } from "../../operations/list-servers.ts"
import { printable } from "../../printable.ts"
import { addGlobalOptions } from "../globals.ts"
import type { CliIo } from "../io.ts"
import type { Output } from "../output.ts"
import { alignColumns, firstLine, indentAfterFirst } from "../text.ts"
import { withContext } from "../with-context.ts"

/** `mcp-exec servers`: what is configured, and with --check whether it works. */
export function registerServers(program: Command, io: CliIo): void {
  const command = program
    .command("servers")
    .summary("list the configured servers")
    .description("Lists the configured servers. Starts none of them unless --check is given.")
    .option("--check", "connect to every enabled server; exit 4 when one cannot be reached")
    .action(async (options) => {
      await withContext(command, io, async ({ context, output }) => {
        const { listServers } = await import("../../operations/list-servers.ts")
        const result = await listServers(context, { check: options.check === true })
        if (result.servers.some(({ check }) => check?.ok === false)) io.exitCode = 4
        if (output.json) output.printJson(result)
        else if (result.servers.length === 0) await explainNone(result.configFile, output)
        else if (options.check) printChecked(result.servers, output)
        else output.print(alignColumns(rowsOf(result.servers), io.columns))
      })
    })
  addGlobalOptions(command)
  command.addHelpText(
    "after",
    `
Examples:
  $ mcp-exec servers
  $ mcp-exec servers --check
  $ mcp-exec servers --check --json | jq -r '.servers[] | select(.check.ok == false) | .name'`,
  )
}

async function explainNone(configFile: string | undefined, output: Output): Promise<void> {
  const { firstServerHint } = await import("../../operations/doctor.ts")
  output.notice(configFile === undefined ? "No mcp_config.json was found.\n" : `${configFile} names no servers.\n`)
  output.notice(`hint: ${firstServerHint(configFile)}\n`)
}

function rowsOf(servers: ListedServer[]): string[][] {
  const rows = servers.map(({ name, transport, endpoint, runtime, description, disabled }) => {
    const kind = runtime === undefined ? transport : `${transport}, ${runtime}`
    const about = description === undefined ? endpoint : `${endpoint}  ${firstLine(description)}`
    return [printable(name), disabled ? `${kind}, disabled` : kind, printable(about)]
  })
  return [["NAME", "TRANSPORT", "ENDPOINT"], ...rows]
}

function printChecked(servers: ListedServer[], output: Output): void {
  const rows = servers.map(({ name, transport, disabled, check }) => {
    const state = disabled ? "disabled" : check?.ok ? "ok" : "failed"
    const found = check?.ok ? [`${check.tools}`, check.version ?? "-"] : ["-", "-"]
    return [name, transport, state, ...found, check === undefined ? "-" : `${check.durationMs} ms`].map(printable)
  })
  output.print(alignColumns([["NAME", "TRANSPORT", "STATE", "TOOLS", "VERSION", "TIME"], ...rows]))
  for (const { name, check } of servers) {
    if (check?.ok !== false) continue
    const { code, message, hint } = check.error
    const problem = `${output.paint("red", `error[${code}]`)}: ${printable(message)}`
    output.print(`\n${printable(name)}: ${indentAfterFirst(problem, "  ")}\n`)
    if (hint !== undefined)
      output.print(`  ${output.paint("cyan", "hint")}: ${indentAfterFirst(printable(hint), "  ")}\n`)
  }
}
