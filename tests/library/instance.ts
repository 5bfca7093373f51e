// An instance of the library in a project folder of its own.
import type { McpExec, McpExecOptions } from "../../src/index.ts"
import { createMcpExec } from "../../src/index.ts"
import { createProject, type Project, type ProjectInput } from "../fixtures/project.ts"

export interface LibraryProject extends AsyncDisposable {
  mcp: McpExec
  project: Project
  logged: { level: string; message: string }[]
}

export const echo = { type: "builtin", name: "echo" } as const

/** The same environment that the command line gets in such a folder. */
export function environmentOf(project: Project): Record<string, string> {
  return { PATH: process.env.PATH ?? "", HOME: project.directory, MCP_EXEC_CACHE_DIR: project.path(".cache") }
}

export async function openProject(input: ProjectInput = {}, options: McpExecOptions = {}): Promise<LibraryProject> {
  const project = createProject(input)
  const logged: LibraryProject["logged"] = []
  const mcp = await createMcpExec({
    cwd: project.directory,
    env: environmentOf(project),
    onLog: (entry) => logged.push(entry),
    ...options,
  })
  return {
    mcp,
    project,
    logged,
    async [Symbol.asyncDispose]() {
      await mcp.close()
      project[Symbol.dispose]()
    },
  }
}
