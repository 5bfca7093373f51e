// Starts servers from a configuration that is known to be valid, before it is loaded in full: that takes as long as
// many a server needs to start.
import { expandServer } from "../config/expand.ts"
import { readText } from "../config/files.ts"
import { plainServer } from "../config/plain-server.ts"
import type { ExecSettings } from "../config/receipt.ts"
import { StartedAhead } from "../mcp/started-ahead.ts"
import { processOf } from "../mcp/stdio-command.ts"
import type { OperationContext } from "./context.ts"

/** Starts those of the named servers that are ordinary processes. */
export async function startAhead(
  { env, guard }: Pick<OperationContext, "env" | "guard">,
  { file, directory }: ExecSettings,
  names: readonly string[],
): Promise<StartedAhead> {
  const ahead = new StartedAhead()
  const text = file === undefined ? "" : await readText(file)
  for (const name of names) {
    try {
      const server = plainServer(text, name)
      const expanded = server && expandServer(name, server, env)
      if (expanded?.type === "stdio") ahead.start(processOf(expanded, directory, env), guard)
    } catch {
      // A variable that is not set: whoever connects is told.
    }
  }
  return ahead
}
