// The tools that are one operation and a few lines of text. The operation's own output goes along as
// metadata: programs may want it, and a model does not pay for it.
import type { CallToolResult } from "@modelcontextprotocol/server"
import { isMcpExecError } from "../errors.ts"
import type { OperationContext } from "../operations/context.ts"
import type { Artifacts } from "./artifacts.ts"
import { clampText } from "./budget.ts"
import { parseInput } from "./parse-input.ts"
import { errorText } from "./present-run.ts"

const resultKey = "mcp-exec/result"

interface Presentation {
  artifacts: Artifacts
  maxTokens: number
}

/** search_tools: what fits the words, or everything there is when there are none. */
export async function searchTools(
  context: OperationContext,
  args: unknown,
  presentation: Presentation,
): Promise<CallToolResult> {
  const { searchInput, searchTools: search } = await import("../operations/search/search-tools.ts")
  const input = parseInput(searchInput, "search_tools", args)
  if (input.query.trim() === "") return await listAll(context, input.server, presentation)
  const result = await search(context, input)
  const { describeSkillCall } = await import("./own-terms.ts")
  const lines: string[] = []
  for (const { kind, name, description, text } of result.hits) {
    const isSkill = kind === "skill"
    const call = isSkill && text !== undefined ? await describeSkillCall(context, name) : undefined
    lines.push(call ?? text ?? nameLine(isSkill ? `${name} (skill)` : name, description))
  }
  return present(lines.join("\n") || "Nothing fits. Try other words, or an empty query.", result, presentation)
}

/** generate_wrappers. */
export async function generateWrappers(
  context: OperationContext,
  args: unknown,
  presentation: Presentation,
): Promise<CallToolResult> {
  const { generate, generateInput } = await import("../operations/generate.ts")
  const result = await generate(context, parseInput(generateInput.pick(given), "generate_wrappers", args))
  const lines = result.servers.map(({ name, tools, error }) => {
    return error === undefined ? `${name}: ${tools} tools` : `${name}: ${errorText(error)}`
  })
  const { stale, written, removed } = result
  const summary = stale === undefined ? `${written} files written, ${removed} removed` : staleLine(stale)
  return present([...lines, summary].join("\n"), result, presentation)
}

/** discover_schemas. */
export async function discoverSchemas(
  context: OperationContext,
  args: unknown,
  presentation: Presentation,
): Promise<CallToolResult> {
  const [{ discover, discoverInput }, { z }] = await Promise.all([
    import("../operations/discover/discover.ts"),
    import("zod"),
  ])
  const { tools } = parseInput(z.object({ tools: discoverInput.shape.targets }), "discover_schemas", args)
  const result = await discover(context, { targets: tools })
  const lines = result.tools.map(({ server, tool, outcome, reason, error }) => {
    const why = reason ?? error?.message
    return `${server}.${tool}: ${outcome}${why === undefined ? "" : `, ${why}`}`
  })
  const failures = result.failures.map(({ server, error }) => `${server}: ${errorText(error)}`)
  return present([...lines, ...failures].join("\n") || "There is nothing to discover.", result, presentation)
}

const given = { servers: true, check: true } as const

async function listAll(
  context: OperationContext,
  server: string | undefined,
  presentation: Presentation,
): Promise<CallToolResult> {
  const { listGenerated } = await import("../operations/list-generated.ts")
  if (server !== undefined) {
    const result = await listGenerated(context, { server })
    const tools = "tools" in result ? result.tools : []
    const lines = tools.map(({ name, description }) => nameLine(`${server}.${name}`, description))
    return present(lines.join("\n") || `Server ${server} has no tools.`, result, presentation)
  }
  const { listSkills } = await import("../operations/skills/list-skills.ts")
  const { skills } = await listSkills(context)
  const result = await listGenerated(context, {}).catch((error: unknown) => {
    // Nothing generated yet is an answer, when there are skills.
    if (isMcpExecError(error) && error.code === "E_USAGE") return { servers: [], hint: error.hint }
    throw error
  })
  const servers = "servers" in result ? result.servers : []
  const lines = [
    ...skills.map(({ name, description }) => nameLine(`${name} (skill)`, description)),
    ...servers.map(({ name, tools, description }) => nameLine(`${name} (${tools} tools)`, description)),
  ]
  const missing = servers.length === 0 ? ["No servers have been generated: call generate_wrappers."] : []
  return present([...lines, ...missing].join("\n"), { skills, servers }, presentation)
}

function nameLine(name: string, description = ""): string {
  const line = description.split("\n")[0]?.trim() ?? ""
  return line === "" ? name : `${name}: ${line.length > 160 ? `${line.slice(0, 159)}…` : line}`
}

function staleLine(stale: readonly string[]): string {
  return stale.length === 0 ? "Nothing is stale." : `Stale: ${stale.join(", ")}`
}

function present(text: string, result: unknown, { artifacts, maxTokens }: Presentation): CallToolResult {
  const shown = clampText(text, maxTokens)
  if (!shown.isCut) return { content: [{ type: "text", text }], _meta: { [resultKey]: result } }
  const { bytes, ...link } = artifacts.add("result", "text/plain", text)
  return {
    content: [
      { type: "text", text: `${shown.text}\n[${bytes} bytes: read ${link.uri}?offset=0&length=50000]` },
      { type: "resource_link", ...link, size: bytes },
    ],
  }
}
