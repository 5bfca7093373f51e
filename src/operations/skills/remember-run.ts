// Remembers a script that worked and used a tool, for `skills save`.
import { join, sep } from "node:path"
import { readText } from "../../config/files.ts"
import type { Script } from "../../harness/harness.ts"
import { writeLastRun } from "../../skills/last-run.ts"
import { skillsFolder } from "../../skills/skill-files.ts"

export interface FinishedRun {
  script: Script
  project: string
  cacheDirectory: string
  tools: Iterable<[server: string, tool: string]>
}

export async function rememberRun({ script, project, cacheDirectory, tools }: FinishedRun): Promise<void> {
  const path = script.kind === "file" ? script.path : script.name
  // What is a skill already need not become one.
  if (path.startsWith(join(project, skillsFolder) + sep)) return
  const code = script.kind === "file" ? await readText(path).catch(() => undefined) : script.code
  if (code !== undefined) writeLastRun(cacheDirectory, project, { path, code, tools: [...tools] })
}
