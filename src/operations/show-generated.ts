// One generated file for a reader: the types and signature of a function, what a server offers, or the source.
import { outlineOf, sectionOf, withDiscovered } from "../codegen/outline.ts"
import { isMcpExecError, McpExecError } from "../errors.ts"
import { resolveIdentifier } from "../mcp/identifier.ts"
import { within } from "../platform/paths.ts"
import { readWhole } from "../platform/read-whole.ts"
import type { OperationContext } from "./context.ts"
import { findFunction, findServer, type Generated, readGenerated } from "./generated.ts"

export interface ShowGeneratedInput {
  /** A server, or server.tool; prompts and templates are named like tools. */
  target: string
  /** The file itself. */
  source: boolean
}

export interface ShowGeneratedOutput {
  server: string
  /** As the server calls it. */
  tool?: string
  prompt?: string
  /** A URI template, or readResource. */
  resource?: string
  export?: string
  /** The statement that makes it available to a script of the project. */
  import?: string
  /** Where it is, as seen from the project's folder. */
  file: string
  text: string
}

/** Shows what has been generated for a tool, a prompt, a template or a server. */
export async function showGenerated(
  context: OperationContext,
  { target, source }: ShowGeneratedInput,
): Promise<ShowGeneratedOutput> {
  const generated = await readGenerated(context)
  const { name, tool: wanted } = split(generated, target)
  const { name: server, entry } = findServer(generated, name)
  if (wanted === undefined) {
    const file = `${entry.directory}/${source ? "index.ts" : "README.md"}`
    return { server, file: `servers/${file}`, text: read(generated, file) }
  }
  return showFunction(generated, server, { wanted, source })
}

/** Shows a tool, a prompt or a template of a generated server. */
export function showFunction(
  generated: Generated,
  server: string,
  { wanted, source }: { wanted: string; source: boolean },
): ShowGeneratedOutput {
  const { entry } = findServer(generated, server)
  const found = findFunction(server, entry, wanted)
  const text = read(generated, found.file)
  const isDiscovered = found.kind === "tool" && entry.tools[found.name]?.result === "discovered"
  const types = isDiscovered ? read(generated, `${entry.directory}/types.discovered.ts`) : ""
  const part = found.kind === "tool" ? withDiscovered(text, types) : sectionOf(text, found.export)
  return {
    server,
    [found.kind]: found.name,
    export: found.export,
    import: `import { ${found.export} } from "#servers/${entry.directory}"`,
    file: `servers/${found.file}`,
    text: source ? text : outlineOf(part),
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

function read({ directory }: Generated, file: string): string {
  try {
    // A manifest that somebody has changed must not open other files.
    if (!/^[^/\\]+\/[^/\\]+$/.test(file) || file.startsWith("..")) throw new Error(`${file} is not a generated file`)
    return readWhole(within(directory, file))
  } catch (cause) {
    throw new McpExecError("E_STATE", `${within(directory, file)} cannot be read`, {
      hint: "Run mcp-exec generate to write it again.",
      cause,
    })
  }
}
