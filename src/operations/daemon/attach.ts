// Has a daemon answer a run instead of this process, where one is wanted and there is one.
import { daemonAddress, isDaemonWanted, variablesFor } from "../../broker/daemon-address.ts"
import { type Attachment, attachToDaemon } from "../../broker/daemon-client.ts"
import type { ExecInput, StartedScript } from "../start-script.ts"

/** Undefined when no daemon is wanted for the run, or none answers. */
export async function attachRun(
  { endpoint, directory, settings }: Pick<StartedScript, "endpoint" | "directory" | "settings">,
  { daemon, script, servers, capture, onCall }: ExecInput,
  env: Record<string, string | undefined>,
): Promise<Attachment | undefined> {
  if (daemon !== true || !isDaemonWanted(env, settings)) return undefined
  const address = await daemonAddress(directory, settings.file ?? "", env)
  return await attachToDaemon(address, {
    type: "attach",
    version: 1,
    token: endpoint.token,
    ...(servers !== undefined && { servers: [...servers] }),
    address: endpoint.address,
    ...(endpoint.sandbox && { sandbox: { script: script.kind === "file" ? script.path : script.name } }),
    records: capture === true || onCall !== undefined,
    env: variablesFor(env, settings),
  })
}
