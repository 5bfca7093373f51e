// Brings servers/ up to date: asks the servers what they offer and has the generator write it. A server
// that fails stops nobody else and keeps the files it had.
import { join } from "node:path"
import { z } from "zod"
import type { Server } from "../catalog.ts"
import type { UpdateOptions } from "../codegen/update.ts"
import type { WritePlan } from "../codegen/write.ts"
import { fingerprintOf } from "../config/fingerprint.ts"
import type { Config } from "../config/schema.ts"
import { ConfigError, type ErrorDescription } from "../errors.ts"
import { type Answer, askServers } from "./ask-servers.ts"
import type { OperationContext } from "./context.ts"

export const generateInput = z.object({
  servers: z.array(z.string()).optional().describe("only these; the files of the others stay as they are"),
  check: z.boolean().default(false).describe("write nothing, tell what is stale"),
  concurrency: z.int().positive().default(16).describe("how many servers are asked at once"),
})

export type GenerateInput = z.input<typeof generateInput>

export interface GeneratedServer {
  name: string
  ok: boolean
  tools?: number
  /** How many of them have a known type of result. */
  typedResults?: number
  error?: ErrorDescription
}

export interface GenerateOutput {
  directory: string
  servers: GeneratedServer[]
  /** Files; with `check`, those that would be written and removed. */
  written: number
  unchanged: number
  removed: number
  /** With `check`: the files that are not as they should be. */
  stale?: string[]
}

/** Generates the files of all enabled servers, or of those that are named. */
export async function generate(context: OperationContext, input: GenerateInput): Promise<GenerateOutput> {
  const config = await context.config()
  if (config.file === undefined && Object.keys(config.servers).length === 0) throw await noConfig()
  const { servers, check, concurrency } = generateInput.parse(input)
  const directory = join(config.directory, "servers")
  const manager = await context.manager()
  const configured = manager.listServers()
  const enabled = configured.filter(({ disabled }) => !disabled)
  const isWhole = servers === undefined || servers.length === 0
  const wanted = isWhole ? enabled.map(({ name }) => name) : [...new Set(servers)]
  for (const name of wanted) {
    // Asking for a server that is unknown or disabled fails at once, with a reason; nothing is started.
    if (!enabled.some((server) => server.name === name)) await manager.describeServer(name)
  }
  const answers = await askServers(context, wanted, concurrency)
  const offered = answers.flatMap(({ server }) => (server === undefined ? [] : withFingerprint(server, config)))
  const silent = answers.flatMap(({ name, error }) => (error === undefined ? [] : name))
  // Also those that are not there yet: somebody else may be generating them at this moment.
  const others = isWhole ? [] : [...configured.map(({ name }) => name), ...(await generatedServers(directory))]
  const unreachable = [...silent, ...others.filter((name) => !wanted.includes(name))]
  const { readDiscovered } = await import("./read-discovered.ts")
  const discovered = readDiscovered(directory, offered)
  const plan = await bringUpToDate(directory, offered, { unreachable, discovered, check })
  if (!check) await forgetMarks(context, directory, offered)
  return {
    directory,
    servers: answers.map((answer) => summarize(answer, discovered.get(answer.name))),
    written: plan.write.length,
    unchanged: plan.unchanged.length,
    removed: plan.remove.length,
    ...(check && { stale: [...plan.write, ...plan.remove].sort() }),
  }
}

async function noConfig(): Promise<ConfigError> {
  const { firstServerHint } = await import("./doctor.ts")
  return new ConfigError("E_CONFIG_NOT_FOUND", "No mcp_config.json was found, so there is nothing to generate from", {
    hint: firstServerHint(undefined),
  })
}

/** The manifest remembers how a server was configured, so that `ls` can tell when that has changed. */
function withFingerprint(server: Server, { servers }: Config): Server {
  const config = servers[server.name]
  return config === undefined ? server : { ...server, config: fingerprintOf(config) }
}

async function forgetMarks({ cacheDirectory }: OperationContext, directory: string, servers: Server[]): Promise<void> {
  const { clearMarks } = await import("./changed-servers.ts")
  await clearMarks(
    { cacheDirectory, directory },
    servers.map(({ name }) => name),
  )
}

async function generatedServers(directory: string): Promise<string[]> {
  const { readManifest } = await import("../codegen/read-manifest.ts")
  return Object.keys(readManifest(directory)?.servers ?? {})
}

async function bringUpToDate(
  directory: string,
  servers: Server[],
  { check, ...given }: Omit<UpdateOptions, "runtime"> & { check: boolean },
): Promise<WritePlan> {
  const { checkServers, updateServers } = await import("../codegen/update.ts")
  const { guestSource } = await import("../guest/plain-file.ts")
  const { printSearchFile, searchFile } = await import("./search/search-file.ts")
  const options: UpdateOptions = {
    ...given,
    runtime: await guestSource(),
    beside: (manifest) => new Map([[searchFile, printSearchFile(manifest, servers, directory)]]),
  }
  return check ? checkServers(directory, { servers }, options) : await updateServers(directory, { servers }, options)
}

function summarize({ name, server, error }: Answer, discovered: ReadonlySet<string> = new Set()): GeneratedServer {
  if (server === undefined) return { name, ok: false, ...(error !== undefined && { error }) }
  const typed = server.tools.filter((tool) => tool.outputSchema !== undefined || discovered.has(tool.name))
  return { name, ok: true, tools: server.tools.length, typedResults: typed.length }
}
