// Where the daemon of a configuration listens, and whether one is wanted. On the path of every script,
// so it loads nothing. The name says which state of the file and which program it is for: whoever has
// another state of the file, or another program, looks elsewhere and never finds an outdated daemon.
import { stampOf } from "../config/files.ts"
import { type ExecSettings, hashOf } from "../config/receipt.ts"
import { version } from "../version.ts"

/** What counts when neither the environment nor the configuration says it. */
export const daemonByDefault = false

/** Whether a daemon may serve this run: MCP_EXEC_DAEMON, else the configuration, else the default. */
export function isDaemonWanted(env: Record<string, string | undefined>, settings: ExecSettings): boolean {
  // Named pipes have no folder that only this user may enter.
  if (settings.file === undefined || settings.serverNames.length === 0 || process.platform === "win32") return false
  if (env.MCP_EXEC_DAEMON === "0" || env.MCP_EXEC_DAEMON === "1") return env.MCP_EXEC_DAEMON === "1"
  return settings.daemon ?? daemonByDefault
}

/** The socket's path in the private folder. Not longer than 18 characters: paths of sockets are short. */
export async function daemonAddress(directory: string, file: string): Promise<string> {
  const state = await hashOf([version, process.execPath, stampOf(process.execPath), stampOf(file)])
  return `${directory}/${await daemonPrefix(file)}${state.slice(0, 7)}`
}

/** How the names of all daemons begin that are or were for this file. */
export async function daemonPrefix(file: string): Promise<string> {
  return `d-${(await hashOf([file])).slice(0, 8)}-`
}

/** Of the caller's environment, what servers are configured with; nothing else leaves the caller. */
export function variablesFor(
  env: Record<string, string | undefined>,
  { variables = [] }: ExecSettings,
): Record<string, string> {
  const result: Record<string, string> = {}
  for (const name of variables) {
    const value = env[name]
    if (typeof value === "string") result[name] = value
  }
  return result
}
