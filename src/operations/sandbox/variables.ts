// The environment of a sandboxed script. Paths of the host mean nothing inside, and the settings of mcp-exec
// outside are not the script's.
import { relayedBroker } from "../../harness/container/container.ts"
import type { Engine } from "../../harness/container/engine.ts"
import { socketFolder } from "../../harness/container/launch.ts"
import { scratch, type View } from "../../harness/container/view.ts"
import { addVariables, scriptEnvironment } from "../../harness/environment.ts"

type Environment = Record<string, string | undefined>

/** What a script gets that is allowed these by name, and these by assignments. */
export function sandboxVariables(
  env: Environment,
  place: { view: View; engine: Engine },
  { allowed = [], assignments = [] }: { allowed?: readonly string[]; assignments?: readonly string[] } = {},
): Record<string, string> {
  const own = Object.entries(env).filter(([name]) => !/^(PATH|HOME|MCP_EXEC_.*)$/.test(name))
  const variables: Record<string, string> = {
    PATH: "/usr/local/bin:/usr/bin:/bin",
    HOME: "/tmp",
    ...scriptEnvironment(Object.fromEntries(own), allowed),
  }
  addVariables(variables, assignments, env)
  return {
    ...variables,
    MCP_EXEC_WORKSPACE: place.view.workspace,
    MCP_EXEC_SCRATCH: scratch,
    MCP_EXEC_BROKER: place.engine.channel === "stdio" ? relayedBroker : `${socketFolder}/b`,
  }
}
