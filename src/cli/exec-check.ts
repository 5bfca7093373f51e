// `exec --check`: types first. What is wrong is shown in the terms of the tools, and nothing is run.
import { McpExecError } from "../errors.ts"
import { createContext } from "../operations/context.ts"
import type { Script } from "../operations/exec.ts"
import { checkScript } from "../operations/skills/check-script.ts"
import type { Globals } from "./globals.ts"
import type { CliIo } from "./io.ts"
import { createOutput } from "./output.ts"

export async function checkBeforeRun(script: Script, cwd: string, io: CliIo, globals: Globals): Promise<void> {
  const { log } = createOutput(io, globals)
  await using context = createContext({ cwd, env: io.env, configFlag: globals.config, log })
  const { problems, typesChecked, notes } = await checkScript(context, script)
  if (!typesChecked) for (const note of notes) log("warning", note)
  if (problems.length === 0) return
  const lines = problems.map(
    ({ message, line, column }) => `${line === undefined ? "" : `${line}:${column ?? 1} `}${message}`,
  )
  const [first = ""] = lines
  throw new McpExecError(
    "E_SCRIPT_TYPES",
    lines.length === 1 ? first : `${lines.length} problems\n${lines.join("\n")}`,
    {
      hint: "Nothing was run. mcp-exec cat <server.tool> shows what a tool takes.",
      details: problems,
    },
  )
}
