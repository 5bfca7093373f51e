// Where the daemon of a configuration listens, and whether one is wanted. On the path of every script,
// so it loads nothing. The name says for whom it is: which user, which program, which state of the file and
// which way to the network. Whoever differs in one of these looks elsewhere and never finds the wrong daemon.
import { stampOf } from "../config/files.ts"
import { type ExecSettings, hashOf } from "../config/receipt.ts"
import { serverEnvironment } from "../mcp/environment.ts"
import { build } from "../version.ts"

type Environment = Record<string, string | undefined>

/** Whether a daemon may serve this run: MCP_EXEC_DAEMON, else the configuration, else yes. */
export function isDaemonWanted(env: Environment, settings: ExecSettings): boolean {
  // Named pipes have no folder that only this user may enter.
  if (settings.file === undefined || settings.serverNames.length === 0 || process.platform === "win32") return false
  if (env.MCP_EXEC_DAEMON === "0" || env.MCP_EXEC_DAEMON === "1") return env.MCP_EXEC_DAEMON === "1"
  return settings.daemon ?? true
}

/** The socket's path in the private folder. Its name has 18 characters: paths of sockets must be short. */
export async function daemonAddress(directory: string, file: string, env: Environment): Promise<string> {
  const network = (await hashOf([networkOf(env)])).slice(0, 3)
  const state = await hashOf([
    process.getuid?.(),
    build,
    process.execPath,
    stampOf(process.execPath),
    file,
    stampOf(file),
  ])
  return `${directory}/${await daemonPrefix(file)}${network}${state.slice(0, 6)}`
}

/** How the names of all daemons begin that are or were for this file. */
export async function daemonPrefix(file: string): Promise<string> {
  return `d-${(await hashOf([file])).slice(0, 6)}-`
}

/** Whether one address takes the other's place: both are for the same file and the same way to the network. */
export function isSuccessor(address: string, other: string): boolean {
  const length = address.length - 6
  return address !== other && address.slice(0, length) === other.slice(0, length)
}

/** Of the caller's environment, what servers may get: what all inherit, and what they are configured with. */
export function variablesFor(env: Environment, { variables = [] }: ExecSettings): Record<string, string> {
  const own: Record<string, string> = {}
  for (const name of variables) {
    const value = env[name]
    if (typeof value === "string") own[name] = value
  }
  return serverEnvironment(env, own)
}

/** What decides how this program itself reaches servers on the network. */
export function networkOf(env: Environment): Record<string, string> {
  const found: Record<string, string> = {}
  // Sorted, since the same variables may stand in another order in another process.
  for (const name of Object.keys(env).filter(isOfNetwork).sort()) {
    const value = env[name]
    if (value !== undefined) found[name] = value
  }
  return found
}

function isOfNetwork(name: string): boolean {
  return /^(https?_proxy|no_proxy|all_proxy|node_(extra_ca_certs|use_system_ca|tls_reject_unauthorized)|ssl_cert_(file|dir))$/i.test(
    name,
  )
}
