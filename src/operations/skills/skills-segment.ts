// What a search must know of a project's skills. Making it takes longer than everything else in a search, so it is
// kept in the user's cache for as long as no skill changes.
import type { JsonSchema, Server } from "../../catalog.ts"
import { writeReceipt } from "../../config/receipt-store.ts"
import { readWhole } from "../../platform/read-whole.ts"
import { isSegment } from "../../search/open-index.ts"
import { indexServer, joinServers, type Segment } from "../../search/segment.ts"
import { type ListedSkill, listSkills } from "../../skills/find-skills.ts"
import { hashText } from "../../skills/hash-text.ts"
import { cacheFile } from "../../skills/readings.ts"
import { locateSkills } from "../../skills/skill-files.ts"
import { stampOf } from "../../skills/skill-stamp.ts"
import type { OperationContext } from "../context.ts"

/** Skills are searched as if a server of this name had them. No server can be called so. */
export const skillsName = "/skills"

/** The part of the index with the skills of a project; undefined when it has none. */
export async function skillsSegment(
  { cacheDirectory }: Pick<OperationContext, "cacheDirectory">,
  project: string,
): Promise<Segment | undefined> {
  const { skills: located } = locateSkills(project)
  if (located.length === 0) return undefined
  const stamps = located.map((files) => [files.entry, stampOf(project, files)])
  // Without a stamp for each of them, nobody can tell next time whether they are the same.
  const hash = stamps.every(([, stamp]) => stamp !== undefined) ? hashText(JSON.stringify(stamps)) : undefined
  const file = cacheFile(cacheDirectory, project, "search")
  const known = hash === undefined ? undefined : readSegment(file, hash)
  if (known !== undefined) return known
  const { skills } = await listSkills(project, cacheDirectory)
  if (skills.length === 0) return undefined
  const descriptions = skills.map(({ declaration }) => declaration.description)
  const segment = joinServers([indexServer(asServer(skills), hash ?? "", descriptions)])
  if (hash !== undefined) await writeReceipt(file, JSON.stringify(segment))
  return segment
}

/** What is in the cache, if it was made of the same files and can be searched. */
function readSegment(file: string, hash: string): Segment | undefined {
  try {
    const segment: unknown = JSON.parse(readWhole(file))
    if (!isSegment(segment)) return undefined
    const [skills, ...others] = segment.servers
    const isOurs = skills?.name === skillsName && skills.hash === hash && others.length === 0
    return isOurs && skills.descriptions.every((text) => typeof text === "string") ? segment : undefined
  } catch {
    return undefined // missing or broken: made anew
  }
}

function asServer(skills: readonly ListedSkill[]): Server {
  return {
    name: skillsName,
    tools: skills.map(({ name, declaration: { description, whenToUse = "", args = {} } }) => {
      const properties = Object.entries(args).map(([key, { description: text = "" }]) => [key, { description: text }])
      const inputSchema: JsonSchema = { type: "object", properties: Object.fromEntries(properties) }
      return { name, description: `${description} ${whenToUse}`.trim(), inputSchema }
    }),
  }
}
