import type { CommandUnknownOpts } from "@commander-js/extra-typings"
import { McpExecError } from "../../errors.ts"
import type { SaveSkillOutput } from "../../operations/skills/save-skill.ts"
import { addGlobalOptions } from "../globals.ts"
import type { CliIo } from "../io.ts"
import type { Output } from "../output.ts"
import { withContext } from "../with-context.ts"

/** `mcp-exec skills save`: a script that has just worked becomes a skill. */
export function registerSkillsSave(skills: CommandUnknownOpts, io: CliIo): void {
  const command = skills
    .command("save")
    .description("make a skill of the last script that worked and used a tool, or of a file")
    .argument("<name>", "lower-case words with hyphens")
    .option("--from <file>", "the script to save, instead of the last run")
    .option("--description <text>", "what it does, in a sentence")
    .option(
      "--arg <name:kind[=default]>",
      "declare an argument; repeatable. The first takes the place of process.argv[2], and so on",
      (value: string, before: string[] | undefined) => [...(before ?? []), value],
    )
    .option("--force", "write over a skill of that name")
    .action(async (name, options) => {
      await withContext(command, io, async ({ context, output }) => {
        const { saveSkill } = await import("../../operations/skills/save-skill.ts")
        const { from, arg: args = [], force } = options
        const description = options.description ?? (await askDescription(io, output))
        const saved = await saveSkill(context, { name, from, description, args, force: force === true })
        if (output.json) output.printJson(saved)
        else printSaved(saved, output)
      })
    })
  addGlobalOptions(command)
}

function printSaved({ path, form, usage, args, tools }: SaveSkillOutput, output: Output): void {
  output.print(`${path}\n`)
  if (args.length > 0) output.print(`Arguments: ${args.map((each) => `${each.name} (${each.kind})`).join(", ")}\n`)
  if (tools.length > 0) output.print(`Tools: ${tools.join(", ")}\n`)
  if (form === "plain") {
    output.notice(
      "The script reads its arguments, or exports, in its own way: it was kept as it is, with a header comment.\n",
    )
  }
  output.print(`Run it: ${usage}\n`)
}

/** Whoever sits at a terminal can say what the skill is for; an empty answer leaves it to the script's own words. */
async function askDescription(io: CliIo, output: Output): Promise<string | undefined> {
  if (output.json || !io.isTTY.stdin || !io.isTTY.stderr) return undefined
  const { createInterface } = await import("node:readline/promises")
  const conversation = createInterface(io.conversation())
  const { promise: abandoned, reject } = Promise.withResolvers<never>()
  conversation.on("SIGINT", () => {
    io.exitCode = 130
    conversation.close()
  })
  conversation.on("close", () => {
    reject(new McpExecError("E_USAGE", "Nothing was saved", { hint: "Say what it does with --description." }))
  })
  try {
    const answer = await Promise.race([conversation.question("What does it do, in a sentence? "), abandoned])
    return answer.trim() || undefined
  } finally {
    conversation.close()
  }
}
