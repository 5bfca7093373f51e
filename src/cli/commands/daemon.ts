import { type Command, InvalidArgumentError } from "@commander-js/extra-typings"
import type { DaemonReport } from "../../operations/daemon/control.ts"
import { printable } from "../../printable.ts"
import { addGlobalOptions } from "../globals.ts"
import type { CliIo } from "../io.ts"
import type { Output } from "../output.ts"
import { withContext } from "../with-context.ts"

/** `mcp-exec daemon`: the process that keeps servers connected between commands. */
export function registerDaemon(program: Command, io: CliIo): void {
  const group = program
    .command("daemon")
    .summary("look at, start or stop the process that keeps servers connected")
    .description(
      "A daemon keeps the servers of one configuration connected, so that exec and call need not start them.\n" +
        "The first exec or call that has used a server leaves one behind; it ends when nobody has used it for a while.\n" +
        'To do without: --no-daemon for one command, "daemon": false in the configuration, or MCP_EXEC_DAEMON=0.',
    )
  addGlobalOptions(group)
  const load = () => import("../../operations/daemon/control.ts")
  const simple = (name: string, description: string, act: (output: Output, run: Run) => Promise<void>) => {
    const command = group
      .command(name)
      .description(description)
      .action(() => withContext(command, io, (run) => act(run.output, run)))
    addGlobalOptions(command)
  }
  simple("status", "Shows whether it runs, and which servers it holds.", async (output, { context }) => {
    printReport(await (await load()).daemonStatus(context), output)
  })
  simple("start", "Starts it, unless it runs.", async (output, { context }) => {
    printReport(await (await load()).startDaemonNow(context), output)
  })
  simple("stop", "Ends it and its servers. Calls under way fail.", async (output, { context }) => {
    const { stopped } = await (await load()).stopDaemon(context)
    if (output.json) output.printJson({ stopped })
    else output.print(stopped.length === 0 ? "There was none.\n" : `Stopped process ${stopped.join(", ")}.\n`)
  })
  simple("restart", "Starts a new one; the old one finishes its runs and ends.", async (output, { context }) => {
    printReport(await (await load()).restartDaemon(context), output)
  })
  const logs = group
    .command("logs")
    .description("Shows the end of its log.")
    .option("-n, --lines <count>", "how many lines", parseLines, 100)
    .action(async ({ lines }) => {
      await withContext(logs, io, async ({ context, output }) => {
        const result = await (await load()).daemonLogs(context, { lines })
        if (output.json) output.printJson(result)
        else if (result.lines.length === 0) output.notice(`There is no log yet: ${printable(result.file)}\n`)
        else output.print(`${result.lines.map(printable).join("\n")}\n`)
      })
    })
  addGlobalOptions(logs)
  group.addHelpText(
    "after",
    `
Examples:
  $ mcp-exec daemon status
  $ mcp-exec daemon logs -n 20
  $ mcp-exec daemon restart`,
  )
}

type Run = Parameters<Parameters<typeof withContext>[2]>[0]

function printReport(report: DaemonReport, output: Output): void {
  if (output.json) return output.printJson(report)
  const line = (name: string, text: string) => output.print(`${name.padEnd(8)} ${printable(text)}\n`)
  const { daemon } = report
  line("daemon", daemon === undefined ? "not running" : `process ${daemon.pid}, up for ${seconds(daemon.uptimeMs)}`)
  if (!report.enabled) line("", 'exec and call do not use it: MCP_EXEC_DAEMON=0, "daemon": false, or no server')
  line("config", report.config)
  line("log", report.log)
  if (daemon === undefined) return
  line("memory", `${(daemon.rssBytes / 2 ** 20).toFixed(0)} MB`)
  const sandboxed = daemon.sandboxed === 0 ? "" : ` (${daemon.sandboxed} in the sandbox)`
  line("runs", `${daemon.runs} attached${sandboxed}, ${daemon.calls} requests so far`)
  for (const { name, connected, calls, idleMs } of daemon.servers) {
    const use = calls > 0 ? `${calls} requests under way` : `idle for ${seconds(idleMs)}`
    line("server", `${name}: ${connected ? "connected" : "not connected"}, ${use}`)
  }
}

function seconds(milliseconds: number): string {
  return milliseconds < 120_000 ? `${Math.round(milliseconds / 1000)} s` : `${Math.round(milliseconds / 60_000)} min`
}

function parseLines(text: string): number {
  const lines = Number(text)
  if (Number.isInteger(lines) && lines > 0) return lines
  throw new InvalidArgumentError("It must be a whole number above 0.")
}
