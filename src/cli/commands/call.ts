import { type Command, InvalidArgumentError } from "@commander-js/extra-typings"
import { readObject, readOnce, readPairs } from "../call-arguments.ts"
import { addGlobalOptions } from "../globals.ts"
import type { CliIo } from "../io.ts"
import type { Output } from "../output.ts"
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
    .action(async (target, words, options) => {
      await withContext(command, io, async ({ context, output }) => {
        // `call server tool …` reads as well as `call server.tool …`.
        const [first] = words
        const { servers } = await context.config()
        // After `call server.tool`, a word that is no pair lacks its key.
        const isServer = target in servers || !/[./]|__/.test(target)
        const tool = isServer && first !== undefined && /^[^={]+$/.test(first) ? first : undefined
        const sources = { cwd: context.cwd, stdin: readOnce(() => io.stdin()) }
        const args = options.args === undefined ? undefined : await readObject(options.args, sources)
        const pairs = await readPairs(tool === undefined ? words : words.slice(1), sources)
        const { callTool } = await import("../../operations/call-tool.ts")
        const raw = options.raw === true
        const timeoutMs = options.timeout === undefined ? undefined : options.timeout * 1000
        const { value } = await callTool(context, { target, tool, args, pairs, timeoutMs, raw })
        if (raw && isErrorResult(value)) io.exitCode = 1
        if (raw || output.json) output.printJson(value)
        else printValue(value, output)
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

function printValue(value: unknown, output: Output): void {
  if (value === null || value === undefined || value === "") return
  if (typeof value === "string") output.print(value.endsWith("\n") ? value : `${value}\n`)
  else output.printJson(value)
}

function isErrorResult(value: unknown): boolean {
  return typeof value === "object" && value !== null && "isError" in value && value.isError === true
}

function parseSeconds(text: string): number {
  const seconds = Number(text)
  if (text.trim() !== "" && Number.isFinite(seconds) && seconds > 0) return seconds
  throw new InvalidArgumentError("It must be a number of seconds above 0.")
}
