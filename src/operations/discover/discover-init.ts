// Writes discovery_config.json: the tools that only read, with arguments to try them. Calls no tool. What
// the file says already stays as it is.
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { z } from "zod"
import type { Config } from "../../config/schema.ts"
import { classifyTool } from "../../discovery/classify.ts"
import { type DiscoveryConfig, discoveryFile, parseDiscoveryConfig } from "../../discovery/config.ts"
import type { ErrorDescription } from "../../errors.ts"
import { rootsOf } from "../../mcp/roots.ts"
import { askServers } from "../ask-servers.ts"
import type { OperationContext } from "../context.ts"
import { putFile } from "../init/put-file.ts"
import { chooseModel } from "./choose-model.ts"
import { type Candidate, fillIn, type TakenTool } from "./fill-in.ts"
import { noProject } from "./listed-tools.ts"

export const discoverInitInput = z.object({
  servers: z.array(z.string()).default([]).describe("only these servers"),
  llm: z
    .object({ provider: z.string().optional(), name: z.string().optional() })
    .optional()
    .describe("ask a model for arguments: anthropic, claude, or the URL of an endpoint"),
  llmTimeoutMs: z.number().positive().default(30_000),
  force: z.boolean().default(false).describe("write the file anew, whatever is in it"),
})

export interface DiscoverInitOutput {
  file: string
  written: boolean
  taken: TakenTool[]
  /** How many tools the file lists besides. */
  kept: number
  skipped: { server: string; tool: string; safety: "dangerous" | "unknown"; reason: string }[]
  failures: { server: string; error: ErrorDescription }[]
}

const serversAtOnce = 16

/** Writes the file. */
export async function discoverInit(
  context: OperationContext,
  input: z.input<typeof discoverInitInput>,
): Promise<DiscoverInitOutput> {
  const { servers, llm, llmTimeoutMs, force } = discoverInitInput.parse(input)
  const config = await context.config()
  if (config.file === undefined && Object.keys(config.servers).length === 0) throw noProject()
  const model = llm && chooseModel(context, llm)
  const file = join(config.directory, discoveryFile)
  const text = existsSync(file) && !force ? readFileSync(file, "utf8") : undefined
  const existing = text === undefined ? undefined : parseDiscoveryConfig(text, file, Object.keys(config.servers))
  const answers = await askServers(context, await wantedServers(context, servers), serversAtOnce)
  const listed = new Set(existing?.tools.map(({ server, tool }) => `${server}\0${tool}`))
  const output: DiscoverInitOutput = { file, written: false, taken: [], kept: listed.size, skipped: [], failures: [] }
  const candidates: Candidate[] = []
  for (const { name, server, error } of answers) {
    if (error !== undefined) output.failures.push({ server: name, error })
    for (const tool of server?.tools ?? []) {
      if (listed.has(`${name}\0${tool.name}`)) continue
      const { safety, reason } = classifyTool(tool)
      if (safety === "safe") candidates.push({ server: name, tool, reason, directory: await placeFor(name, config) })
      else output.skipped.push({ server: name, tool: tool.name, safety, reason })
    }
  }
  output.taken = await fillIn(context, candidates, model, llmTimeoutMs)
  const next = await addTools(text, existing, output.taken)
  if (next !== text && (output.taken.length > 0 || text === undefined)) {
    putFile(file, next)
    output.written = true
  }
  return output
}

async function wantedServers(context: OperationContext, named: readonly string[]): Promise<string[]> {
  const manager = await context.manager()
  const enabled = manager.listServers().filter(({ disabled }) => !disabled)
  if (named.length === 0) return enabled.map(({ name }) => name)
  for (const name of named) {
    // Asking for one that is unknown or disabled fails at once, with a reason; nothing is started.
    if (!enabled.some((server) => server.name === name)) await manager.describeServer(name)
  }
  return [...new Set(named)]
}

/** A directory that the server may read: the first that it is told to work in. */
async function placeFor(server: string, config: Config): Promise<string> {
  const entry = config.servers[server]
  const [first] = entry === undefined ? [] : await rootsOf(entry, config)
  return first === undefined ? config.workspace : fileURLToPath(first.uri)
}

/** The file's text with more tools in it, in the form that it has; comments stay. */
async function addTools(
  text: string | undefined,
  existing: DiscoveryConfig | undefined,
  taken: readonly TakenTool[],
): Promise<string> {
  const { applyEdits, modify } = await import("jsonc-parser")
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol: "\n" }
  let next = text ?? '{\n  "servers": {}\n}\n'
  for (const { server, tool, arguments: args } of taken) {
    const path = existing?.form === "flat" ? [`${server}__${tool}`] : ["servers", server, "safeTools", tool]
    next = applyEdits(next, modify(next, path, args, { formattingOptions }))
  }
  return next
}
