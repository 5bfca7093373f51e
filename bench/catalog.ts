// As many servers as anybody has, for the jobs that are about numbers: made of captured tools/list answers
// ({ tools } in the *.json of the directory that CAPTURES names), or made up.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Server, Tool } from "../src/catalog.ts"
import { type GenerateOptions, generateFiles } from "../src/codegen/generate.ts"
import { updateServers } from "../src/codegen/update.ts"
import { fingerprintOf } from "../src/config/fingerprint.ts"
import { guestSource } from "../src/guest/plain-file.ts"
import { printSearchFile, searchFile } from "../src/operations/search/search-file.ts"

/** The most that was ever captured at once; the goals are for these numbers. */
export const fullSize = { servers: 183, tools: 4_491 }

export interface Supply {
  tools: Tool[]
  /** Where they are from, for the results. */
  origin: string
}

/** All tools there are, in an order in which every part of the list is much like the whole. */
export function supplyTools(captures: string | undefined): Supply {
  if (captures === undefined) return { tools: madeUpTools(), origin: "tools are made up" }
  const files = readdirSync(captures).filter((name) => name.endsWith(".json"))
  const lists = files.sort().map((name): Tool[] => JSON.parse(readFileSync(join(captures, name), "utf8")).tools)
  const tools = lists.flat().map((tool) => ({ ...tool, description: tool.description ?? "" }))
  if (tools.length === 0) throw new Error("CAPTURES names a directory without a *.json that has tools")
  const origin = `tools are ${count(tools.length)} captured from ${count(lists.length)} real servers`
  return {
    tools: spread(tools),
    origin: tools.length < fullSize.tools ? `${origin}, repeated under other names` : origin,
  }
}

/** So many tools on servers of about the usual size. What there is too little of is repeated under another name. */
export function makeServers({ tools }: Supply, toolCount: number): Server[] {
  const serverCount = Math.ceil((toolCount * fullSize.servers) / fullSize.tools)
  const first = (at: number) => Math.floor((at * toolCount) / serverCount)
  return Array.from({ length: serverCount }, (_, at) => ({
    name: `server${at}`,
    config: fingerprintOf({ ...entry, args: [], env: {}, disabled: false }),
    tools: takeTools(tools, first(at), first(at + 1)),
  }))
}

/** A project in which these servers are configured and generated. */
export async function writeProject(directory: string, servers: Server[]): Promise<void> {
  mkdirSync(directory, { recursive: true })
  const mcpServers = Object.fromEntries(servers.map(({ name }) => [name, entry]))
  writeFileSync(join(directory, "mcp_config.json"), JSON.stringify({ mcpServers }))
  const folder = join(directory, "servers")
  await updateServers(folder, { servers }, await generateOptions(servers, folder))
}

/** The same in memory alone. */
export async function generateProject(directory: string, servers: Server[]): Promise<ReadonlyMap<string, string>> {
  return generateFiles({ servers }, await generateOptions(servers, join(directory, "servers")))
}

/**
 * Makes room for a project. The one before is moved, not deleted: an ext4 without a journal passes by every file that
 * was deleted in the last minutes before it makes a new one, which would take longer than what is measured.
 */
export function setAside(directory: string): void {
  if (existsSync(directory)) renameSync(directory, `${directory}-${crypto.randomUUID()}`)
}

async function generateOptions(servers: Server[], folder: string): Promise<GenerateOptions> {
  return {
    runtime: await guestSource(),
    beside: (manifest) => new Map([[searchFile, printSearchFile(manifest, servers, folder)]]),
  }
}

export function count(number: number): string {
  return number.toLocaleString("en-US")
}

/** Nobody starts it. */
const entry = { type: "stdio", command: "true" } as const

function takeTools(tools: Tool[], from: number, to: number): Tool[] {
  const names = new Set<string>()
  return Array.from({ length: to - from }, (_, index) => {
    const tool = tools[(from + index) % tools.length] as Tool
    const isRepeated = from + index >= tools.length || names.has(tool.name)
    names.add(tool.name)
    return isRepeated ? { ...tool, name: `${tool.name}_${from + index}` } : tool
  })
}

/** Big servers come in blocks; a step that shares no factor with the length visits all, and mixes them. */
function spread(tools: Tool[]): Tool[] {
  const step = [997, 991, 983].find((prime) => tools.length % prime !== 0) ?? 1
  return tools.map((_, at) => tools[(at * step) % tools.length] as Tool)
}

function madeUpTools(): Tool[] {
  const verbs = ["list", "get", "create", "update", "delete", "search", "send", "export"]
  const nouns = ["issue", "page", "invoice", "user", "branch", "message", "table", "event", "file", "report"]
  const text = { type: "string", description: "Which one, by its name or its number, as the list has it." }
  const filter = { type: "object", properties: { field: text, values: { type: "array", items: text } } }
  return verbs.flatMap((verb) =>
    nouns.map((noun) => ({
      name: `${verb}_${noun}`,
      description: `Use this to ${verb} a ${noun}. What is asked for must exist; give its name or number.`,
      inputSchema: {
        type: "object",
        properties: {
          [noun]: text,
          owner: text,
          state: { enum: ["open", "closed", "all"], default: "open" },
          filters: { type: "array", items: filter },
          limit: { type: "integer", minimum: 1 },
        },
        required: [noun],
      },
    })),
  )
}
