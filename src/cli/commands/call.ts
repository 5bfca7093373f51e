import { type Command, InvalidArgumentError } from "@commander-js/extra-typings"
import { isErrorResult, printedValue, readCall } from "../call-view.ts"
import { addGlobalOptions } from "../globals.ts"
import type { CliIo } from "../io.ts"
import { withContext } from "../with-context.ts"

/** `mcp-exec call`: one tool, its value on stdout. */
export function registerCall(program: Command, io: CliIo): void {
  const command = program
    .command("call")
    .summary("call one tool and print its result")
    .description("Calls one tool and prints its result: text as text, data as JSON.")
    .argument("<server.tool>", "the tool; server__tool and server/tool are accepted too")
    .argument("[arguments...]", "key=value, key:=json, key=@file, key=@- for standard input")
    .option("--args <json>", "all arguments as a JSON object, @file, or - for standard input; single ones win over it")
    .option("--raw", "print the MCP result untouched")
    .option("--timeout <seconds>", "give up after this time", parseSeconds)
    .option("--no-daemon", "connect to the server anew instead of using the daemon's")
    .action(async (target, words, options) => {
      await withContext(command, io, async ({ context, output }) => {
        const settings = await context.settings()
        const request = await readCall({ target, words, args: options.args }, settings.serverNames, {
          cwd: context.cwd,
          io,
        })
        const { callTool, callToolOfDaemon } = await import("../../operations/call-tool.ts")
        const raw = options.raw === true
        const timeoutMs = options.timeout === undefined ? undefined : options.timeout * 1000
        const input = { ...request, timeoutMs, raw }
        const warm = options.daemon ? await callToolOfDaemon(context, input) : undefined
        const { server, value } = warm ?? (await callTool(context, input))
        if (raw && isErrorResult(value)) io.exitCode = 1
        output.print(printedValue(value, raw || output.json))
        if (!options.daemon || warm !== undefined) return
        const { startForNextTime } = await import("../../operations/daemon/next-time.ts")
        await startForNextTime(context, settings, { used: [[server]] })
      })
    })
  addGlobalOptions(command)
  command.addHelpText(
    "after",
    `
Values are read as the tool's input schema says: a text stays a text even when it looks like a
number. Repeat a key for an array, or give JSON: tags=a tags=b, tags:='["a","b"]'.

Examples:
  $ mcp-exec call files.read_text_file path=README.md head=5
  $ mcp-exec call github.create_issue repo=acme/app title="It broke" body=@report.md
  $ mcp-exec call db.query --args '{"sql": "select 1", "limit": 10}'
  $ jq '{text: .body}' mail.json | mcp-exec call translate.run --args - language=de`,
  )
}

function parseSeconds(text: string): number {
  const seconds = Number(text)
  if (text.trim() !== "" && Number.isFinite(seconds) && seconds > 0) return seconds
  throw new InvalidArgumentError("It must be a number of seconds above 0.")
}
