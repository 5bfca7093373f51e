// The servers that come with the binary and need nothing installed. Decides how each one is run: in
// this process where its code allows it, otherwise as a child of the same program. Connects to
// nothing itself, and loads only the server that is asked for.
import type { Transport } from "@modelcontextprotocol/server"
import type { BuiltinServerConfig } from "../config/schema.ts"
import { ConfigError } from "../errors.ts"
import type { BuiltinTool } from "./tool-server.ts"

export type BuiltinLaunch =
  | {
      kind: "in-process"
      /** Serves one connection: call it once per transport. */
      connect(transport: Transport): Promise<void>
    }
  | {
      kind: "child"
      command: [string, ...string[]]
      /** What the server needs on top of the environment that every child gets. */
      env: Record<string, string>
    }

export interface BuiltinContext {
  /** Where relative paths of the config start. */
  directory: string
  /** Absolute path of the folder where scripts may write. */
  workspace: string
}

/** How to run a builtin server. Rejects with a ConfigError when its arguments are wrong. */
export async function launchBuiltin(server: BuiltinServerConfig, context: BuiltinContext): Promise<BuiltinLaunch> {
  switch (server.name) {
    case "filesystem":
      return (await import("./packaged.ts")).launchFilesystem(server, context)
    case "memory":
      refuseArguments(server)
      return (await import("./packaged.ts")).launchMemory(server, context)
    case "fetch": {
      const { parseFetchOptions } = await import("./fetch/options.ts")
      const options = parseFetchOptions(server.args)
      const load = async () => (await import("./fetch/tool.ts")).createFetchTool(options)
      return { kind: "in-process", connect: (transport) => serve("fetch", async () => [await load()], transport) }
    }
    case "echo": {
      refuseArguments(server)
      const load = async () => (await import("./echo.ts")).createEchoTools()
      return { kind: "in-process", connect: (transport) => serve("echo", load, transport) }
    }
  }
}

async function serve(name: string, load: () => Promise<BuiltinTool[]>, transport: Transport): Promise<void> {
  const [{ serveTools }, tools] = await Promise.all([import("./tool-server.ts"), load()])
  await serveTools(name, tools, transport)
}

function refuseArguments(server: BuiltinServerConfig): void {
  if (server.args.length === 0) return
  throw new ConfigError(
    "E_CONFIG_INVALID",
    `The builtin server ${server.name} takes no arguments: ${server.args.join(" ")}`,
    {
      hint: `Remove "args" from the entry of the ${server.name} server.`,
    },
  )
}
