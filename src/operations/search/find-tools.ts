// Finds tools and skills by words. Answers from what `generate` has left in servers/, and from the text
// of the skills: no server is started, the SDK is not loaded, and of servers/ mostly one file is read.
import type { FoundTool } from "../../broker/messages.ts"
import { describeSkill } from "../../guest/skill-usage.ts"
import { within } from "../../platform/paths.ts"
import { openIndex } from "../../search/open-index.ts"
import { type SearchHit, searchIndex } from "../../search/search.ts"
import type { Segment } from "../../search/segment.ts"
import { requireSkill } from "../../skills/find-skills.ts"
import type { OperationContext } from "../context.ts"
import { findGenerated, findServer, type Generated, readGenerated } from "../generated.ts"
import { warnOfMissing } from "../skills/list-project.ts"
import { readProject } from "../skills/project.ts"
import { skillsName, skillsSegment } from "../skills/skills-segment.ts"
import type { SearchDetail } from "./details.ts"
import { readSearchFile, segmentFromManifest } from "./search-file.ts"

export interface FindToolsInput {
  query: string
  detail: SearchDetail
  /** Only tools of this server. */
  server?: string | undefined
  limit: number
}

export type { FoundTool } from "../../broker/messages.ts"

export interface SearchOutput {
  hits: FoundTool[]
}

/** The tools and skills that a query may mean, best first. */
export async function findTools(
  context: OperationContext,
  { query, detail, server, limit }: FindToolsInput,
): Promise<SearchOutput> {
  const { directory } = await readProject(context)
  const skills = server === undefined ? await skillsSegment(context, directory) : undefined
  const segment = readSearchFile(within(directory, "servers")) ?? (await makeSegment(context, skills !== undefined))
  const index = openIndex(skills === undefined ? [segment] : [skills, segment])
  const only = server === undefined ? undefined : await nameOf(context, segment, server)
  const found = searchIndex(index, query, { limit, ...(only !== undefined && { server: only }) })
  const generated = detail === "full" ? await findGenerated(context) : undefined
  const hits = found.map(async (hit): Promise<FoundTool[]> => {
    if (hit.server === skillsName) return [await describeFoundSkill(hit, detail, directory)]
    return await describeTool(hit, detail, generated)
  })
  return { hits: (await Promise.all(hits)).flat() }
}

/** Without the file that `generate` makes for searches. */
async function makeSegment(context: OperationContext, hasSkills: boolean): Promise<Segment> {
  const generated = hasSkills ? await findGenerated(context) : await readGenerated(context)
  if ("isThere" in generated && !generated.isThere) warnOfMissing(context, generated)
  return segmentFromManifest(generated.servers)
}

/** Servers are also known by the names of their folders. */
async function nameOf(context: OperationContext, { servers }: Segment, given: string): Promise<string> {
  if (servers.some(({ name }) => name === given)) return given
  return findServer(await readGenerated(context), given).name
}

async function describeTool(
  { server, tool, description }: SearchHit,
  detail: SearchDetail,
  generated: Generated | undefined,
): Promise<FoundTool[]> {
  const found: FoundTool = { kind: "tool", name: `${server}.${tool}`, server, tool }
  if (detail === "name") return [found]
  found.description = description
  if (generated === undefined) return [found]
  // The two files are written together; a tool that only one of them knows is not there.
  if (generated.servers.get(server)?.tools[tool] === undefined) return []
  const { showFunction } = await import("../show-generated.ts")
  const shown = showFunction(generated, server, { wanted: tool, source: false })
  return [{ ...found, text: `${shown.import}\n${shown.text}` }]
}

async function describeFoundSkill(
  { tool: name, description }: SearchHit,
  detail: FindToolsInput["detail"],
  project: string,
): Promise<FoundTool> {
  const found: FoundTool = { kind: "skill", name }
  if (detail === "name") return found
  found.description = description
  if (detail === "full") found.text = `${describeSkill((await requireSkill(project, name)).declaration)}\n`
  return found
}
