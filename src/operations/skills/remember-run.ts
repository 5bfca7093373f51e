// Remembers a script that worked and used a tool, for `skills save`.
import { join, sep } from "node:path"
import { writeLastRun } from "../../skills/last-run.ts"
import { skillsFolder } from "../../skills/skill-files.ts"
import { textOf } from "../prespawn.ts"
import type { ExecInput } from "../start-script.ts"

export interface FinishedRun extends Pick<ExecInput, "script" | "text"> {
  project: string
  cacheDirectory: string
  tools: Iterable<[server: string, tool: string]>
}

export async function rememberRun({ script, text, project, cacheDirectory, tools }: FinishedRun): Promise<void> {
  const path = script.kind === "file" ? script.path : script.name
  // What is a skill already need not become one.
  if (path.startsWith(join(project, skillsFolder) + sep)) return
  const code = await textOf({ script, text }).catch(() => undefined)
  if (code !== undefined) writeLastRun(cacheDirectory, project, { path, code, tools: [...tools] })
}
