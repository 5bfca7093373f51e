// Finds tools and skills by words. Answers from what `generate` has left in servers/, and from the text
// of the skills: no server is started, and the SDK is not loaded.
import { z } from "zod"
import type { FoundTool } from "../../broker/messages.ts"
import type { JsonSchema } from "../../catalog.ts"
import type { ManifestServer } from "../../codegen/print-server.ts"
import { describeSkill } from "../../guest/skill-usage.ts"
import { openIndex } from "../../search/open-index.ts"
import { searchIndex } from "../../search/search.ts"
import { indexServer, type ServerSection } from "../../search/section.ts"
import { listSkills, type Skill } from "../../skills/find-skills.ts"
import type { OperationContext } from "../context.ts"
import { findGenerated, findServer, type Generated, readGenerated } from "../generated.ts"
import { showFunction } from "../show-generated.ts"
import { warnOfMissing } from "../skills/list-project.ts"
import { readSearchFile, storedSection } from "./search-file.ts"

export const searchDetails = ["name", "description", "full"] as const

export const searchInput = z.object({
  query: z.string().describe("what the tool should do, in words, or a part of its name"),
  detail: z.enum(searchDetails).default("description").describe("how much is said of each hit"),
  server: z.string().optional().describe("only tools of this server"),
  limit: z.int().positive().max(100).default(10).describe("at most so many hits"),
})

export type SearchInput = z.input<typeof searchInput>

export type { FoundTool } from "../../broker/messages.ts"

export interface SearchOutput {
  hits: FoundTool[]
}

// Skills are searched as if a server of this name had them. No server can be called so.
const skillsName = "/skills"

/** The tools and skills that a query may mean, best first. */
export async function searchTools(context: OperationContext, input: SearchInput): Promise<SearchOutput> {
  const { query, detail, server, limit } = searchInput.parse(input)
  const generated = await findGenerated(context)
  const { skills } = server === undefined ? listSkills(generated.settings.directory) : { skills: [] }
  if (!generated.isThere) await explainMissing(context, generated, skills.length > 0)
  const only = server === undefined ? undefined : findServer(generated, server).name
  const index = openIndex([...sectionsOf(generated), [skillsName, indexServer(asServer(skills))]])
  const found = searchIndex(index, query, { limit, ...(only !== undefined && { server: only }) })
  const byName = new Map(skills.map((skill) => [skill.name, skill]))
  const hits = found.map(async (hit): Promise<FoundTool[]> => {
    if (hit.server === skillsName) return describeFoundSkill(byName.get(hit.tool), detail)
    return await describeTool(generated, hit, detail)
  })
  return { hits: (await Promise.all(hits)).flat() }
}

async function explainMissing(context: OperationContext, generated: Generated, hasSkills: boolean): Promise<void> {
  if (!hasSkills) await readGenerated(context)
  warnOfMissing(context, generated)
}

function sectionsOf({ directory, servers }: Generated): [string, ServerSection][] {
  const stored = readSearchFile(directory)?.servers ?? {}
  return [...servers].map(([name, entry]) => [
    name,
    storedSection(stored, name, entry.hash)?.section ?? fromManifest(name, entry),
  ])
}

/** What the manifest alone says of a server: enough to find its tools, should the file for searches be missing. */
function fromManifest(name: string, { description, tools }: ManifestServer): ServerSection {
  const named = Object.entries(tools).map(([tool, entry]) => {
    return { name: tool, description: entry.description, inputSchema: {} }
  })
  return indexServer({ name, ...(description !== undefined && { description }), tools: named })
}

function asServer(skills: readonly Skill[]) {
  return {
    name: "skills",
    tools: skills.map(({ name, declaration: { description, whenToUse = "", args = {} } }) => {
      const properties = Object.entries(args).map(([key, { description: text = "" }]) => [key, { description: text }])
      const inputSchema: JsonSchema = { type: "object", properties: Object.fromEntries(properties) }
      return { name, description: `${description} ${whenToUse}`.trim(), inputSchema }
    }),
  }
}

async function describeTool(
  generated: Generated,
  { server, tool }: { server: string; tool: string },
  detail: (typeof searchDetails)[number],
): Promise<FoundTool[]> {
  const entry = generated.servers.get(server)?.tools[tool]
  // The two files are written together; a tool that only one of them knows is not there.
  if (entry === undefined) return []
  const found: FoundTool = { kind: "tool", name: `${server}.${tool}`, server, tool }
  if (detail === "name") return [found]
  found.description = entry.description
  if (detail === "full") {
    const shown = await showFunction(generated, server, { wanted: tool, source: false })
    found.text = `${shown.import}\n${shown.text}`
  }
  return [found]
}

function describeFoundSkill(skill: Skill | undefined, detail: (typeof searchDetails)[number]): FoundTool[] {
  if (skill === undefined) return []
  const { name, declaration } = skill
  const found: FoundTool = { kind: "skill", name }
  if (detail !== "name") found.description = declaration.description
  if (detail === "full") found.text = `${describeSkill(declaration)}\n`
  return [found]
}
