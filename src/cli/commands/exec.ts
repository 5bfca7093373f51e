// `exec` for commander: its place in the help, and the way in when other options stand before it.
import type { CommandUnknownOpts } from "@commander-js/extra-typings"
import { execOptions } from "../exec-options.ts"
import { addGlobalOptions, readGlobals } from "../globals.ts"
import type { CliIo } from "../io.ts"

const examples = `
Examples:
  $ mcp-exec exec weekly-report --since monday
  $ mcp-exec exec report.ts --since monday    (what follows the script is the script's own)
  $ mcp-exec exec - < report.ts
  $ mcp-exec exec -e 'import { listServers } from "mcp-exec"; console.log(await listServers())'
  $ mcp-exec exec --timeout 30 --json report.ts`

export function registerExec(program: CommandUnknownOpts, io: CliIo): void {
  const command = program
    .command("exec")
    .summary("run a script against your servers")
    .description(
      "Run a skill, a TypeScript or JavaScript file, code on stdin (-) or on the command line (-e).\n" +
        "A bare word names a skill when there is one; ./word is always the file.",
    )
    .usage("[options] <skill|file|-> [script arguments…]")
    .argument("[script...]", "the script and its own arguments")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", examples)
    .allowUnknownOption()
    .passThroughOptions()
  for (const { flags, description } of execOptions()) command.option(flags, description)
  addGlobalOptions(command)
  command.action(async () => {
    // Commander has shown what it knows; the words themselves are read by the parser of the fast path.
    const words = command.parent?.args ?? []
    const { runExec } = await import("../exec-run.ts")
    io.exitCode = (await runExec(words.slice(1), { io, globals: readGlobals(program) })) ?? 0
  })
}
