// The answers that never change, in the words the SDK would use: a test compares them. Whatever is not
// quite right in a request is left to the SDK.
import { version } from "../version.ts"
import { capabilities, constantHint, instructions, serverName, tools } from "./surface.ts"

export type Id = string | number

/** A message as it was read: nothing of it has been checked. */
export interface Message {
  id?: Id
  method?: string
  params?: Record<string, unknown>
}

/** The revisions with a handshake that the SDK agrees to, the newest first. */
const revisions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"]
const currentRevision = "2026-07-28"
const reserved = "io.modelcontextprotocol/"

const serverInfo = { name: serverName, version }

/** The result of a request that is known by heart. */
export function knownAnswer({ id, method, params = {} }: Message): object | undefined {
  if ((typeof id !== "string" && typeof id !== "number") || !isObject(params)) return undefined
  const meta = isObject(params._meta) ? params._meta : {}
  if (Object.keys(meta).some((key) => key.startsWith(reserved))) return isCurrent(meta) ? current(method) : undefined
  switch (method) {
    case "initialize":
      return isGreeting(params) ? greet(params.protocolVersion) : undefined
    case "tools/list":
      return { tools }
    case "ping":
      return {}
    default:
      return undefined
  }
}

function greet(wanted: unknown): object {
  const protocolVersion = revisions.find((revision) => revision === wanted) ?? revisions[0]
  return { protocolVersion, capabilities, serverInfo, instructions }
}

function isGreeting({ protocolVersion, capabilities: offered, clientInfo }: Record<string, unknown>): boolean {
  return typeof protocolVersion === "string" && isObject(offered) && isImplementation(clientInfo)
}

/** In the current revision each request says who asks, and in which revision. */
function isCurrent(meta: Record<string, unknown>): boolean {
  const info = meta[`${reserved}clientInfo`]
  return (
    meta[`${reserved}protocolVersion`] === currentRevision &&
    isObject(meta[`${reserved}clientCapabilities`]) &&
    (info === undefined || isImplementation(info))
  )
}

function current(method: string | undefined): object | undefined {
  const complete = { resultType: "complete", _meta: { [`${reserved}serverInfo`]: serverInfo } }
  switch (method) {
    case "server/discover":
      return { supportedVersions: [currentRevision], capabilities, instructions, ...constantHint, ...complete }
    case "tools/list":
      return { tools, ...constantHint, ...complete }
    default:
      return undefined
  }
}

function isImplementation(value: unknown): boolean {
  return isObject(value) && typeof value.name === "string" && typeof value.version === "string"
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null
}
