// What a server says of itself when a connection begins, and the beginning of the revisions that have `initialize`, for
// servers behind a pipe: without the SDK, whose loading would slow down the server that boots at the same time.
import type { Client } from "@modelcontextprotocol/client"
import { TimeLimits } from "../platform/time-limits.ts"
import type { DirectTransport } from "./direct-transport.ts"
import { type Fields, isFields } from "./fields.ts"
import type { Ourselves } from "./ourselves.ts"

export interface Introduction {
  protocolVersion?: string | undefined
  serverInfo?: { name: string; version: string; title?: string | undefined } | undefined
  capabilities: Fields
  instructions?: string | undefined
}

/** The revisions that begin with `initialize`, the latest first; a test compares them with the SDK's. */
export const legacyRevisions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"]

/** Says who we are, and returns what the server answers. */
export async function greet(
  transport: DirectTransport,
  ourselves: Ourselves,
  timeoutMs: number,
): Promise<Introduction> {
  await transport.start()
  const limits = new TimeLimits()
  const params = { protocolVersion: legacyRevisions[0], ...ourselves }
  const result: unknown = await transport.request("initialize", params, { timeoutMs, limits })
  if (!isFields(result) || typeof result.protocolVersion !== "string") throw new SyntaxError("no introduction")
  const { protocolVersion } = result
  if (!legacyRevisions.includes(protocolVersion)) {
    throw new Error(`its protocol version is not supported: ${protocolVersion}`)
  }
  await transport.send({ jsonrpc: "2.0", method: "notifications/initialized" })
  return repairIntroduction(result)
}

/** What the server told the SDK. */
export function introductionTo(client: Client): Introduction {
  return {
    protocolVersion: client.getNegotiatedProtocolVersion(),
    serverInfo: client.getServerVersion(),
    capabilities: { ...client.getServerCapabilities() },
    instructions: client.getInstructions(),
  }
}

/** An `initialize` result as the SDK wants it, whatever the server left out. */
export function repairIntroduction(result: Fields) {
  const { serverInfo, capabilities, instructions } = result
  const info: Fields = isFields(serverInfo) ? serverInfo : {}
  return {
    ...result,
    serverInfo: { ...info, name: String(info.name ?? "unnamed"), version: String(info.version ?? "unknown") },
    capabilities: isFields(capabilities) ? repairCapabilities(capabilities) : {},
    instructions: typeof instructions === "string" ? instructions : undefined,
  }
}

function repairCapabilities(capabilities: Fields): Fields {
  const entries = Object.entries(capabilities).filter(([, value]) => value !== null && value !== false)
  return Object.fromEntries(entries.map(([name, value]) => [name, isFields(value) ? value : {}]))
}
