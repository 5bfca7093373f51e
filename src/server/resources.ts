// What can be read without running anything: skills, generated servers and tools, files of the workspace,
// and what was too long to show.
import { describeError, isMcpExecError } from "../errors.ts"
import type { OperationContext } from "../operations/context.ts"
import type { Core } from "./core.ts"
import { type Content, listWorkspace, readWorkspaceFile } from "./workspace-files.ts"

export interface ListedResource {
  uri: string
  name: string
  description?: string
  mimeType?: string
  size?: number
}

export type ReadContent = Content & { uri: string; mimeType: string; _meta?: Record<string, unknown> }

const scheme = "mcp-exec://"
const pageSize = 100

export const resourceTemplates = [
  { name: "skill", uriTemplate: `${scheme}skills/{name}`, description: "What a skill does and takes" },
  { name: "server", uriTemplate: `${scheme}servers/{server}`, description: "The tools of a server" },
  { name: "tool", uriTemplate: `${scheme}servers/{server}/{tool}`, description: "How a tool is called, with types" },
  { name: "file", uriTemplate: `${scheme}workspace/{+path}`, description: "A file that scripts have written" },
  {
    name: "artifact",
    uriTemplate: `${scheme}artifacts/{id}{?offset,length}`,
    description: "A slice of an output that was too long, or is no text",
  },
]

/** One page of what there is. The cursor is the last address of the page before. */
export async function listResources(
  core: Core,
  cursor?: string,
): Promise<{ resources: ListedResource[]; nextCursor?: string }> {
  await using lease = await core.contexts.lease()
  const all = [...(await listSkillsAndServers(lease.context)), ...(await listFiles(lease.context))]
  const sorted = all.sort((a, b) => (a.uri < b.uri ? -1 : 1))
  const after = cursor === undefined ? 0 : sorted.findIndex(({ uri }) => uri > cursor)
  const resources = after < 0 ? [] : sorted.slice(after, after + pageSize)
  const last = resources.at(-1)
  return { resources, ...(last !== undefined && last !== sorted.at(-1) && { nextCursor: last.uri }) }
}

/** Reads one. Throws the protocol's own error when there is no such thing. */
export async function readResource(core: Core, uri: string): Promise<ReadContent> {
  try {
    return await read(core, uri)
  } catch (error) {
    if (!isMcpExecError(error)) throw error
    const { ResourceNotFoundError } = await import("@modelcontextprotocol/server")
    const { message, hint } = describeError(error)
    throw new ResourceNotFoundError(uri, hint === undefined ? message : `${message}. ${hint}`)
  }
}

async function read(core: Core, uri: string): Promise<ReadContent> {
  const { McpExecError } = await import("../errors.ts")
  const unknown = new McpExecError("E_USAGE", `There is no resource ${uri}`, {
    hint: resourceTemplates.map(({ uriTemplate }) => uriTemplate).join(", "),
  })
  const [, kind = "", path = ""] = /^mcp-exec:\/\/([a-z]+)\/([^?#]+)/.exec(uri) ?? []
  if (kind === "artifacts") return { ...core.artifacts.read(uri) }
  const parts = path.split("/").map(decode)
  await using lease = await core.contexts.lease()
  const { context } = lease
  const [first = "", second] = parts
  if (kind === "workspace") return { uri, ...(await readWorkspaceFile((await context.config()).workspace, parts)) }
  if (kind === "skills" && parts.length === 1) {
    const { showSkill } = await import("../operations/skills/show-skill.ts")
    const { describeSkillCall } = await import("./own-terms.ts")
    const { text } = await showSkill(context, { name: first, source: false })
    return { uri, mimeType: "text/plain", text: (await describeSkillCall(context, first)) ?? text }
  }
  if (kind !== "servers" || parts.length > 2) throw unknown
  const { showGenerated } = await import("../operations/show-generated.ts")
  const target = second === undefined ? first : `${first}.${second}`
  const shown = await showGenerated(context, { target, source: false })
  if (shown.import === undefined) return { uri, mimeType: "text/markdown", text: shown.text }
  return { uri, mimeType: "text/x-typescript", text: `${shown.import}\n${shown.text}` }
}

/** A name that is not encoded as an address wants is taken as it is. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** A project that cannot be read has nothing to list; using it says why. */
async function listSkillsAndServers(context: OperationContext): Promise<ListedResource[]> {
  const { listSkills } = await import("../operations/skills/list-skills.ts")
  const { listGenerated } = await import("../operations/list-generated.ts")
  const skills = await listSkills(context).catch(() => undefined)
  const generated = await listGenerated(context, {}).catch(() => undefined)
  const servers = generated !== undefined && "servers" in generated ? generated.servers : []
  return [
    ...(skills?.skills ?? []).map(({ name, description }) => ({
      uri: `${scheme}skills/${encodeURIComponent(name)}`,
      name,
      description,
      mimeType: "text/plain",
    })),
    ...servers.map(({ name, tools }) => ({
      uri: `${scheme}servers/${encodeURIComponent(name)}`,
      name,
      description: `${tools} tools`,
      mimeType: "text/markdown",
    })),
  ]
}

async function listFiles(context: OperationContext): Promise<ListedResource[]> {
  const config = await context.config().catch(() => undefined)
  // Without a configuration there is no workspace, only the folder where somebody happens to be.
  if (config?.file === undefined) return []
  return listWorkspace(config.workspace).map(({ path, size }) => ({
    uri: `${scheme}workspace/${path.split("/").map(encodeURIComponent).join("/")}`,
    name: path,
    size,
  }))
}
