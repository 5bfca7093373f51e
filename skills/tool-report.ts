import { arg, listServers, listTools, skill, type Tool } from "mcp-exec"

interface Row {
  name: string
  tools: number
  tokens: number
  typed: number
  problem?: string
}

// What three servers' schemas came to with the tokenizer o200k; within a tenth for each of them.
const charactersPerToken = 4.4

export default skill(
  {
    name: "tool-report",
    description: "Lists the configured servers: how many tools, what their schemas cost, which results are typed.",
    whenToUse: "To see what all schemas up front would cost a context, and which servers weigh most.",
    args: {
      only: arg.list({ description: "Only these servers" }),
      by: arg.enum(["server", "tool"], { default: "server", description: "A line for each" }),
    },
    returns: "A markdown table. Tokens are estimated: 4.4 characters of JSON each.",
    examples: ["mcp-exec exec tool-report", "mcp-exec exec tool-report --only github --by tool"],
  },
  async ({ only, by }, { log }) => {
    const servers = (await listServers()).filter(({ name, disabled }) => !disabled && (only?.includes(name) ?? true))
    const unknown = only?.filter((name) => !servers.some((server) => server.name === name)) ?? []
    if (unknown.length > 0) throw new Error(`There is no server ${unknown.join(", ")} in the configuration`)
    const rows = await Promise.all(
      servers.map(async ({ name }): Promise<Row[]> => {
        try {
          const tools = await listTools(name)
          return by === "server" ? [rowOf(name, tools)] : tools.map((tool) => rowOf(`${name}.${tool.name}`, [tool]))
        } catch (error) {
          log.warning(`${name}: ${error instanceof Error ? error.message : error}`)
          return [{ name, tools: 0, tokens: 0, typed: 0, problem: "cannot be reached" }]
        }
      }),
    )
    return table(by, rows.flat())
  },
)

function rowOf(name: string, tools: Tool[]): Row {
  const asShown = tools.map((tool) => JSON.stringify([tool.name, tool.description, tool.inputSchema]))
  return {
    name,
    tools: tools.length,
    tokens: Math.ceil(asShown.join("").length / charactersPerToken),
    typed: tools.filter((tool) => tool.outputSchema !== undefined).length,
  }
}

function table(by: string, rows: Row[]): string {
  const sorted = rows.toSorted((a, b) => b.tokens - a.tokens || (a.name < b.name ? -1 : 1))
  const sum = (key: "tools" | "tokens" | "typed") => rows.reduce((total, row) => total + row[key], 0)
  const all: Row = { name: "**all**", tools: sum("tools"), tokens: sum("tokens"), typed: sum("typed") }
  const lines = [...sorted, all].map(
    ({ name, tools, tokens, typed, problem }) =>
      `| ${name} | ${problem ?? tools} | ${tokens} | ${problem === undefined ? `${typed} of ${tools}` : ""} |`,
  )
  return [`| ${by} | tools | tokens (estimated) | typed results |`, "| --- | --- | --- | --- |", ...lines].join("\n")
}
