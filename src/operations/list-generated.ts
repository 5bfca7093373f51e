// What there is in servers/: the servers, or the tools of one.
import type { ManifestServer, ManifestTool } from "../codegen/print-server.ts"
import type { OperationContext } from "./context.ts"
import { findServer, type Generated, readGenerated } from "./generated.ts"

export interface ListGeneratedInput {
  /** All servers when absent. */
  server?: string | undefined
}

export interface GeneratedServerSummary {
  name: string
  description?: string
  version?: string
  tools: number
}

export interface GeneratedToolSummary extends Pick<ManifestTool, "export" | "description" | "file" | "result"> {
  name: string
  tags: string[]
}

export type ListGeneratedOutput =
  | { directory: string; servers: GeneratedServerSummary[] }
  | { directory: string; server: string; tools: GeneratedToolSummary[] }

const mostShown = 10

/** Lists what has been generated, and warns when that is not what is configured. */
export async function listGenerated(
  context: OperationContext,
  input: ListGeneratedInput,
): Promise<ListGeneratedOutput> {
  const generated = await readGenerated(context)
  await warnIfStale(context, generated)
  const { directory, servers } = generated
  if (input.server === undefined) return { directory, servers: [...servers].map(summarizeServer) }
  const { name, entry } = findServer(generated, input.server)
  return { directory, server: name, tools: Object.entries(entry.tools).map(summarizeTool) }
}

async function warnIfStale(context: OperationContext, { servers, settings }: Generated): Promise<void> {
  if (settings.file === undefined) return
  const gone = [...servers.keys()].filter((name) => !settings.serverNames.includes(name))
  let missing = settings.serverNames.filter((name) => !servers.has(name))
  if (missing.length > 0) {
    // Only the whole configuration tells which of them are disabled.
    const config = await context.config()
    missing = missing.filter((name) => config.servers[name]?.disabled === false)
  }
  const problems = [
    ...(missing.length > 0 ? [`it lacks ${listOf(missing)}`] : []),
    ...(gone.length > 0 ? [`${listOf(gone)} ${gone.length === 1 ? "is" : "are"} no longer configured`] : []),
  ]
  if (problems.length > 0) context.log("warning", `servers/ is stale: ${problems.join("; ")}. Run mcp-exec generate.`)
}

function listOf(names: string[]): string {
  const more = names.length > mostShown ? `, and ${names.length - mostShown} more` : ""
  return names.slice(0, mostShown).join(", ") + more
}

function summarizeServer([name, { description, version, tools }]: [string, ManifestServer]): GeneratedServerSummary {
  return {
    name,
    ...(description !== undefined && { description }),
    ...(version !== undefined && { version }),
    tools: Object.keys(tools).length,
  }
}

function summarizeTool([name, tool]: [string, ManifestTool]): GeneratedToolSummary {
  const { description, file, result, tags = [] } = tool
  return { name, export: tool.export, description, tags, result, file }
}
