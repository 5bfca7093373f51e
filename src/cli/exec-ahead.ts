// `exec FILE.ts …` has its script's process started before anything else is loaded. To boot takes longer than to find out
// whether the script may run and with what; until then it waits. So here is only a guess, made with nothing loaded: the
// harness compares it with what the run wants, and where they differ, starts another process.
import type { GuessedStart } from "../operations/start-script.ts"
import { mayExist } from "../platform/may-exist.ts"
import { namedScript } from "./plain-script.ts"

/** Put in its place by the build: only the binary starts itself in one word. */
declare const MCP_EXEC_BUILD: string

/** Starts the process of the script that the words after `exec` name; undefined when they leave any doubt. */
export function startScriptAhead(words: readonly string[]): GuessedStart | undefined {
  try {
    return startGuessed(words)
  } catch {
    // Whatever it is, whoever starts scripts will meet it again and tell.
    return undefined
  }
}

function startGuessed(words: readonly string[]): GuessedStart | undefined {
  if (typeof MCP_EXEC_BUILD !== "string" || process.platform === "win32") return undefined
  const { env } = process
  const cwd = process.cwd()
  const script = namedScript(words, cwd)
  if (script === undefined || env.MCP_EXEC_CONFIG) return undefined
  const { path, args } = script
  const caches = env.XDG_CACHE_HOME || `${env.HOME}/${process.platform === "darwin" ? "Library/Caches" : ".cache"}`
  const cache = env.MCP_EXEC_CACHE_DIR || `${caches}/mcp-exec`
  const directory = env.XDG_RUNTIME_DIR ? `${env.XDG_RUNTIME_DIR}/mcp-exec` : `${cache}/run`
  const random = crypto.randomUUID()
  const endpoint = { address: `${directory}/${process.pid}.${random.slice(0, 8)}`, token: random.slice(9) }
  const { PATH, HOME, LANG, TERM, TZ } = env
  const variables: Record<string, string | undefined> = { PATH, HOME, LANG, TERM, TZ }
  for (const name in env) if (name.startsWith("MCP_EXEC_")) variables[name] = env[name]
  const project = configuredFolder(cwd)
  variables.MCP_EXEC_WORKSPACE = project === undefined ? cwd : `${project}/workspace`
  variables.MCP_EXEC_BROKER = endpoint.address
  variables.MCP_EXEC_TOKEN = endpoint.token
  const child = Bun.spawn([process.execPath, "__run", "--when-served", String(process.pid), path, ...args], {
    env: variables,
    stdio: ["inherit", "inherit", "inherit"],
    detached: true,
  })
  return { child, path, cwd, env: variables, endpoint }
}

/** The nearest one with a configuration, by its name. */
export function configuredFolder(cwd: string): string | undefined {
  for (let folder = cwd; ; folder = folder.slice(0, folder.lastIndexOf("/"))) {
    for (const name of ["mcp_config.json", "mcp-config.json", ".mcp.json"]) {
      if (mayExist(`${folder}/${name}`)) return folder
    }
    if (folder === "") return undefined
  }
}
