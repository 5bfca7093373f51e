// What an agent reads again and again, on as many servers as anybody has: `ls`, `cat` and `search` over 183
// servers with 4,500 tools. Tools are made up, or taken from the captured tools/list answers that CAPTURES names.
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Server, Tool } from "../../src/catalog.ts"
import { updateServers } from "../../src/codegen/update.ts"
import { printSearchFile, searchFile } from "../../src/operations/search/search-file.ts"
import { race } from "../measure.ts"
import type { Figure, Workplace } from "../run.ts"

const goalMs = 40
const serverCount = 183
const toolCount = 4500

export async function readBack({ directory, program }: Workplace): Promise<Figure[]> {
  const servers = makeServers(process.env.CAPTURES)
  const folder = join(directory, "servers")
  await updateServers(
    folder,
    { servers },
    {
      runtime: "",
      beside: (manifest) => new Map([[searchFile, printSearchFile(manifest, servers, folder)]]),
    },
  )
  const entries = servers.map(({ name }) => [name, { command: "true" }])
  writeFileSync(join(directory, "mcp_config.json"), JSON.stringify({ mcpServers: Object.fromEntries(entries) }))
  const [first] = servers
  const [tool] = first?.tools ?? []
  const commands = [
    { name: "ls", command: [program, "ls", "--quiet"] },
    { name: "ls of a server", command: [program, "ls", first?.name ?? "", "--quiet"] },
    { name: "cat", command: [program, "cat", `${first?.name}.${tool?.name}`] },
    { name: "search", command: [program, "search", "list open issues of a repository"] },
  ]
  const [floor, ...timings] = await race(
    [{ name: "--version", command: [program, "--version"] }, ...commands],
    20,
    directory,
  )
  return timings.map(({ name, medianMs }) => ({
    name: `${name}, ${serverCount} servers and ${toolCount} tools`,
    value: `${medianMs.toFixed(1)} ms (--version takes ${floor?.medianMs.toFixed(1)} ms)`,
    goal: `≤ ${goalMs} ms`,
    met: medianMs <= goalMs,
  }))
}

/** As many as wanted, each tool of the captures used as often as needed under another name. */
function makeServers(captures: string | undefined): Server[] {
  const tools = captures === undefined ? madeUpTools() : capturedTools(captures)
  const each = Math.ceil(toolCount / serverCount)
  return Array.from({ length: serverCount }, (_, at) => {
    const own = Array.from({ length: Math.min(each, toolCount - at * each) }, (_, index) => {
      const number = at * each + index
      const tool = tools[number % tools.length] as Tool
      const round = Math.floor(number / tools.length)
      return { ...tool, description: tool.description ?? "", name: round === 0 ? tool.name : `${tool.name}_${round}` }
    })
    return { name: `server${at}`, tools: own }
  })
}

function capturedTools(directory: string): Tool[] {
  const files = readdirSync(directory).filter((name) => name.endsWith(".json"))
  return files.flatMap((name) => JSON.parse(readFileSync(join(directory, name), "utf8")).tools ?? [])
}

function madeUpTools(): Tool[] {
  const verbs = ["list", "get", "create", "update", "delete", "search", "send", "export"]
  const nouns = ["issue", "page", "invoice", "user", "branch", "message", "table", "event", "file", "report"]
  const text = { type: "string", description: "Which one, by its name or its number, as the list has it." }
  return verbs.flatMap((verb) =>
    nouns.map((noun) => ({
      name: `${verb}_${noun}`,
      description: `Use this to ${verb} a ${noun}. What is asked for must exist; give its name or number.`,
      inputSchema: { type: "object", properties: { [noun]: text, owner: text, limit: { type: "integer" } } },
    })),
  )
}
