// `exec FILE.ts …` has its script's process started before anything else is loaded. To boot takes longer than to find out
// whether the script may run and with what; until then it waits. So here is only a guess, made with nothing loaded: the
// harness compares it with what the run wants, and where they differ, starts another process.
import type { GuessedStart } from "../operations/start-script.ts"

/** Put in its place by the build: only the binary starts itself in one word. */
declare const MCP_EXEC_BUILD: string

/** Starts the process of the script that the words after `exec` name; undefined when they leave any doubt. */
export function startScriptAhead(words: readonly string[]): GuessedStart | undefined {
  try {
    // Of the options, this one alone changes nothing about how a script is started.
    return startGuessed(words[0] === "--no-daemon" ? words.slice(1) : words)
  } catch {
    // Whatever it is, whoever starts scripts will meet it again and tell.
    return undefined
  }
}

function startGuessed([script, ...args]: readonly string[]): GuessedStart | undefined {
  const { env } = process
  // Options stand before the script, and may change how it is started.
  if (script === undefined || script.startsWith("-") || !script.endsWith(".ts") || env.MCP_EXEC_CONFIG) return undefined
  if (typeof MCP_EXEC_BUILD !== "string" || process.platform === "win32") return undefined
  const cwd = process.cwd()
  const path = script.startsWith("/") ? script : `${cwd}/${script.startsWith("./") ? script.slice(2) : script}`
  const caches = env.XDG_CACHE_HOME || `${env.HOME}/${process.platform === "darwin" ? "Library/Caches" : ".cache"}`
  const cache = env.MCP_EXEC_CACHE_DIR || `${caches}/mcp-exec`
  const directory = env.XDG_RUNTIME_DIR ? `${env.XDG_RUNTIME_DIR}/mcp-exec` : `${cache}/run`
  const random = crypto.randomUUID()
  const endpoint = { address: `${directory}/${process.pid}.${random.slice(0, 8)}`, token: random.slice(9) }
  const { PATH, HOME, LANG, TERM, TZ } = env
  const variables: Record<string, string | undefined> = { PATH, HOME, LANG, TERM, TZ }
  for (const name in env) if (name.startsWith("MCP_EXEC_")) variables[name] = env[name]
  variables.MCP_EXEC_WORKSPACE = workspaceFor(cwd)
  variables.MCP_EXEC_BROKER = endpoint.address
  variables.MCP_EXEC_TOKEN = endpoint.token
  const child = Bun.spawn([process.execPath, "__run", "--when-served", String(process.pid), path, ...args], {
    env: variables,
    stdio: ["inherit", "inherit", "inherit"],
    detached: true,
  })
  return { child, path, cwd, env: variables, endpoint }
}

/** That of the nearest configuration, as long as it does not say otherwise. */
function workspaceFor(cwd: string): string {
  for (let folder = cwd; ; folder = folder.slice(0, folder.lastIndexOf("/"))) {
    for (const name of ["mcp_config.json", "mcp-config.json", ".mcp.json"]) {
      if (Bun.file(`${folder}/${name}`).size > 0) return `${folder}/workspace`
    }
    if (folder === "") return cwd
  }
}
