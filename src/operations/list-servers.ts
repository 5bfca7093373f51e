// The configured servers, and on request whether each can be reached.
import { z } from "zod"
import { checkServer, type ServerCheck } from "./check-server.ts"
import type { OperationContext } from "./context.ts"
import { endpointOf } from "./endpoint.ts"

export const listServersInput = z.object({
  check: z.boolean().default(false).describe("connect to every enabled server and count its tools"),
})

export type ListServersInput = z.infer<typeof listServersInput>

export interface ListedServer {
  name: string
  transport: "stdio" | "http" | "sse" | "builtin"
  /** The command or address, without anything that may be a credential. */
  endpoint: string
  /** What it runs on, when that is not its command's own. */
  runtime?: "bun"
  description?: string
  disabled: boolean
  check?: ServerCheck
}

export interface ListServersOutput {
  configFile?: string
  servers: ListedServer[]
}

/** Lists the configured servers. */
export async function listServers(context: OperationContext, input: ListServersInput): Promise<ListServersOutput> {
  const config = await context.config()
  const servers = Object.entries(config.servers).map(async ([name, server]): Promise<ListedServer> => {
    const check = input.check && !server.disabled ? await checkServer(context, name) : undefined
    return {
      name,
      transport: server.type,
      endpoint: endpointOf(server),
      ...("runtime" in server && server.runtime !== undefined && { runtime: server.runtime }),
      ...(server.description !== undefined && { description: server.description }),
      disabled: server.disabled,
      ...(check !== undefined && { check }),
    }
  })
  return { ...(config.file !== undefined && { configFile: config.file }), servers: await Promise.all(servers) }
}
