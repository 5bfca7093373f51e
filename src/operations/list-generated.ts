// What there is in servers/: the servers, or what one of them offers.
import type { ManifestPrompt, ManifestResources, ManifestServer, ManifestTool } from "../codegen/print-server.ts"
import type { OperationContext } from "./context.ts"
import { findServer, type Generated, readGenerated } from "./generated.ts"
import { warnIfStale } from "./stale.ts"

export interface ListGeneratedInput {
  /** All servers when absent. */
  server?: string | undefined
}

export interface GeneratedServerSummary {
  name: string
  description?: string
  version?: string
  tools: number
  prompts?: number
  resources?: number
}

export interface GeneratedToolSummary extends Pick<ManifestTool, "export" | "description" | "file" | "result"> {
  name: string
  tags: string[]
}

export interface GeneratedServers {
  directory: string
  servers: GeneratedServerSummary[]
}

export type ListGeneratedOutput = GeneratedServers | ({ directory: string; server: string } & GeneratedOffer)

export interface GeneratedOffer {
  tools: GeneratedToolSummary[]
  prompts?: GeneratedPromptSummary[]
  resources?: ManifestResources
}

export interface GeneratedPromptSummary extends ManifestPrompt {
  name: string
}

/** Lists what has been generated, and warns when that is not what is configured. */
export async function listGenerated(
  context: OperationContext,
  input: ListGeneratedInput,
): Promise<ListGeneratedOutput> {
  const generated = await readGenerated(context)
  if (input.server === undefined) return await summarizeServers(context, generated)
  await warnIfStale(context, generated)
  const { directory } = generated
  const { name, entry } = findServer(generated, input.server)
  const { tools, prompts, resources } = entry
  return {
    directory,
    server: name,
    tools: Object.entries(tools).map(summarizeTool),
    ...(prompts && { prompts: Object.entries(prompts).map(([prompt, known]) => ({ name: prompt, ...known })) }),
    ...(resources && { resources }),
  }
}

/** The servers of what has been read already. */
export async function summarizeServers(context: OperationContext, generated: Generated): Promise<GeneratedServers> {
  await warnIfStale(context, generated)
  const { directory, servers } = generated
  return { directory, servers: [...servers].map(summarizeServer) }
}

function summarizeServer([name, entry]: [string, ManifestServer]): GeneratedServerSummary {
  const { description, version, tools, prompts, resources } = entry
  return {
    name,
    ...(description !== undefined && { description }),
    ...(version !== undefined && { version }),
    tools: Object.keys(tools).length,
    ...(prompts && { prompts: Object.keys(prompts).length }),
    ...(resources && { resources: resources.count + Object.keys(resources.templates ?? {}).length }),
  }
}

function summarizeTool([name, tool]: [string, ManifestTool]): GeneratedToolSummary {
  const { description, file, result, tags = [] } = tool
  return { name, export: tool.export, description, tags, result, file }
}
