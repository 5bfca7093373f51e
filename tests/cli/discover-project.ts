// A project with one server whose answers are given, and what is needed to look at what became of them.
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fixtureServer } from "../fixtures/config.ts"
import { createProject, type Finished, type Project } from "../fixtures/project.ts"

export interface Learning extends Project {
  answer(answers: Record<string, unknown[]>): void
  /** Which tools were called, with what. */
  calls(): string[]
  types(): string
  read(name: string): string
  json(args: string[], options?: Parameters<Project["run"]>[1]): Promise<{ code: number; value: Any }>
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into output of many forms
type Any = any

/** The server is called `things`; `listed` are its tools in discovery_config.json. */
export function learningProject(
  answers: Record<string, unknown[]>,
  listed?: Record<string, unknown>,
  config: Record<string, unknown> = {},
): Learning {
  const project = createProject()
  const file = project.path("answers.json")
  const answer = (given: Record<string, unknown[]>) => project.write({ "answers.json": JSON.stringify(given) })
  answer(answers)
  const servers = { mcpServers: { things: fixtureServer("learnable", file) }, ...config }
  project.write({ "mcp_config.json": JSON.stringify(servers) })
  if (listed !== undefined) {
    project.write({ "discovery_config.json": JSON.stringify({ servers: { things: { safeTools: listed } } }) })
  }
  const read = (name: string) => readFileSync(project.path(name), "utf8")
  return {
    ...project,
    answer,
    read,
    calls: () => (existsSync(`${file}.calls`) ? read("answers.json.calls").trimEnd().split("\n") : []),
    types: () => read(join("servers", "things", "types.discovered.ts")),
    async json(args, options) {
      const { code, stdout }: Finished = await project.run([...args, "--json"], options)
      return { code, value: JSON.parse(stdout) }
    },
  }
}
