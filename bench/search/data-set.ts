// A set of questions with the tools that answer them, as a catalog that search can index.
import { readFileSync } from "node:fs"
import type { Server, Tool } from "../../src/catalog.ts"

export interface Question {
  text: string
  /** What is needed; any id of one inner list will do. */
  wanted: string[][]
}

export interface DataSet {
  servers: Server[]
  questions: Question[]
  /** The id of a server's tool. */
  idOf: (server: string, tool: string) => string
  serverOf: (id: string) => string
}

interface StoredSet {
  tools: (Tool & { id: string; server: string })[]
  queries: { query: string; relevant: (string | string[])[] }[]
}

export function readDataSet(file: string): DataSet {
  const { tools, queries } = JSON.parse(readFileSync(file, "utf8")) as StoredSet
  const servers = new Map<string, Server>()
  const ids = new Map<string, string>()
  const serverOf = new Map(tools.map(({ id, server }) => [id, server]))
  for (const { id, server: name, ...tool } of tools) {
    const server = servers.get(name) ?? { name, tools: [] }
    servers.set(name, server)
    // In one set, several tools of a server have the same name. Separators at its end are not searched.
    while (ids.has(key(name, tool.name))) tool.name += "_"
    ids.set(key(name, tool.name), id)
    server.tools.push(tool)
  }
  return {
    servers: [...servers.values()],
    questions: queries.map(({ query, relevant }) => ({ text: query, wanted: relevant.map((label) => [label].flat()) })),
    idOf: (server, tool) => ids.get(key(server, tool)) ?? "",
    serverOf: (id) => serverOf.get(id) ?? "",
  }
}

/** As many tools as wanted, from these servers over and over, each time under another name. */
export function enlarge(servers: readonly Server[], toolCount: number): Server[] {
  const enlarged: Server[] = []
  let left = toolCount
  for (let round = 0; left > 0; round++) {
    for (const { name, tools } of servers) {
      const kept = tools.slice(0, left)
      if (kept.length > 0) enlarged.push({ name: `${name} ${round}`, tools: kept.map((tool) => rename(tool, round)) })
      left -= kept.length
    }
  }
  return enlarged
}

function rename(tool: Tool, round: number): Tool {
  return round === 0 ? tool : { ...tool, name: `${tool.name}_v${round}`, description: `${tool.description} v${round}` }
}

function key(server: string, tool: string): string {
  return `${server}\n${tool}`
}
