import { Argument, type Command } from "@commander-js/extra-typings"
import type { OperationContext } from "../../operations/context.ts"
import type { Names } from "../complete.ts"
import { addGlobalOptions } from "../globals.ts"
import type { CliIo } from "../io.ts"
import { withContext } from "../with-context.ts"

const shells = ["bash", "zsh", "fish", "powershell"] as const
// As the scripts for the shells understand it: nothing to say, or "do not add the names of files".
const filesToo = 0
const noFiles = 4

/** `mcp-exec completions`: what makes a shell complete our words; and the hidden command that it asks. */
export function registerCompletions(program: Command, io: CliIo): void {
  const command = program
    .command("completions")
    .summary("print the script that makes a shell complete commands, skills and tools")
    .description("Prints a script for a shell. With it, TAB completes commands, options, skills, servers and tools.")
    .addArgument(new Argument("<shell>", "which shell").choices(shells))
    .action(async (shell) => {
      if (shell === "bash") {
        const { bashCompletion } = await import("../bash-completion.ts")
        return io.stdout(bashCompletion)
      }
      const { script } = await import("@bomb.sh/tab")
      // The library prints to the console.
      script(shell, "mcp-exec", "mcp-exec")
    })
  addGlobalOptions(command)
  command.addHelpText(
    "after",
    `
Examples:
  $ source <(mcp-exec completions bash)
  $ mcp-exec completions fish > ~/.config/fish/completions/mcp-exec.fish`,
  )
  registerComplete(program, io)
}

function registerComplete(program: Command, io: CliIo): void {
  const command = program
    .command("complete", { hidden: true })
    .argument("[words...]")
    .allowUnknownOption()
    .action(async (words) => {
      await withContext(command, io, async ({ context }) => {
        const { complete } = await import("../complete.ts")
        const { words: found, files } = await complete(program, words, namesIn(context))
        const lines = found.map(({ value, description }) => (description === "" ? value : `${value}\t${description}`))
        io.stdout([...lines, `:${files ? filesToo : noFiles}`, ""].join("\n"))
      })
    })
}

/** Whatever cannot be read is not there: nobody would see an error. */
function namesIn(context: OperationContext): Names {
  return async () => {
    const { listNameable } = await import("../../operations/nameable.ts")
    return await listNameable(context).catch(() => ({ skills: [], servers: [] }))
  }
}
