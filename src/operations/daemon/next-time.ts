// A run that found no daemon leaves one for the next, with the servers that it has used. A sandboxed run
// leaves one whatever it has used: a daemon has containers wait.
import { daemonAddress, isDaemonWanted } from "../../broker/daemon-address.ts"
import type { ExecSettings } from "../../config/receipt.ts"
import type { Config } from "../../config/schema.ts"
import { runtimeDirectory } from "../../platform/runtime-directory.ts"
import type { OperationContext } from "../context.ts"
import { startDaemon } from "./start.ts"

/** Starts a daemon in the background where one is wanted and would help. Never fails. */
export async function startForNextTime(
  context: OperationContext,
  settings: ExecSettings,
  { used, sandbox }: { used: Iterable<[server: string, ...unknown[]]>; sandbox?: boolean | undefined },
): Promise<void> {
  const { env, cacheDirectory } = context
  const { file } = settings
  if (file === undefined || !isDaemonWanted(env, settings)) return
  try {
    const { servers } = await context.config()
    const warm = [...new Set([...used].map(([server]) => server))].filter((name) => isWorthKeeping(servers[name]))
    if (warm.length === 0 && !sandbox) return
    const address = await daemonAddress(await runtimeDirectory(env, cacheDirectory), file, env)
    await startDaemon({ address, file, env, settings, cacheDirectory, warm })
  } catch (error) {
    context.log("debug", `no daemon was started for the next time: ${error}`)
  }
}

/** A server in this process is there at once, and one that ends with each run is no use to the next. */
function isWorthKeeping(entry: Config["servers"][string] | undefined): boolean {
  if (entry === undefined || entry.keepAlive === false) return false
  return entry.type !== "builtin" || entry.name === "filesystem" || entry.name === "memory"
}
