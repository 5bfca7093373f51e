// One generated file for a reader: a tool's types and signature, a server's list of tools, or the source.
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { outlineOf } from "../codegen/outline.ts"
import { isMcpExecError, McpExecError } from "../errors.ts"
import { resolveIdentifier } from "../mcp/identifier.ts"
import type { OperationContext } from "./context.ts"
import { findServer, findTool, type Generated, readGenerated } from "./generated.ts"

export interface ShowGeneratedInput {
  /** A server, or server.tool. */
  target: string
  /** The file itself. */
  source: boolean
}

export interface ShowGeneratedOutput {
  server: string
  /** As the server calls it. */
  tool?: string
  export?: string
  /** The statement that makes it available to a script in the project's folder. */
  import?: string
  /** Where it is, as seen from the project's folder. */
  file: string
  text: string
}

/** Shows what has been generated for a tool or a server. */
export async function showGenerated(
  context: OperationContext,
  { target, source }: ShowGeneratedInput,
): Promise<ShowGeneratedOutput> {
  const generated = await readGenerated(context)
  const { name, tool: wanted } = split(generated, target)
  const { name: server, entry } = findServer(generated, name)
  if (wanted === undefined) {
    const file = `${entry.directory}/${source ? "index.ts" : "README.md"}`
    return { server, file: `servers/${file}`, text: await read(generated, file) }
  }
  const { name: tool, tool: found } = findTool(server, entry, wanted)
  const text = await read(generated, found.file)
  return {
    server,
    tool,
    export: found.export,
    import: `import { ${found.export} } from "./servers/${entry.directory}/index.ts"`,
    file: `servers/${found.file}`,
    text: source ? text : outlineOf(text),
  }
}

/** A server's name may hold what separates it from a tool: the whole is tried first. */
function split({ servers }: Generated, target: string): { name: string; tool?: string } {
  const names = [...servers].flatMap(([name, { directory }]) => [name, directory])
  if (names.includes(target)) return { name: target }
  try {
    const { server, tool } = resolveIdentifier(target, names)
    return { name: server, tool }
  } catch (error) {
    if (!isMcpExecError(error)) throw error
    // What is said of the configuration there is said of the generated servers by `findServer`.
    if (error.code === "E_SERVER_UNKNOWN" && error.server !== undefined) return { name: error.server }
    if (!/[./]|__/.test(target)) return { name: target }
    throw error
  }
}

async function read({ directory }: Generated, file: string): Promise<string> {
  try {
    return await readFile(join(directory, file), "utf8")
  } catch (cause) {
    throw new McpExecError("E_STATE", `${join(directory, file)} cannot be read`, {
      hint: "Run mcp-exec generate to write it again.",
      cause,
    })
  }
}
