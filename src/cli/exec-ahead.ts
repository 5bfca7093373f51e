// `exec FILE.ts …` has its script's process started before anything else is loaded. To boot takes longer than to find out
// whether the script may run and with what; until then it waits. So here is only a guess, made with nothing loaded: the
// harness compares it with what the run wants, and where they differ, starts another process. Where there is no
// configuration, nothing is left to find out: the script runs at once, and when it is soon over, that was all.
import type { GuessedStart } from "../operations/start-script.ts"
import { mayExist } from "../platform/may-exist.ts"
import { seemsThere } from "../platform/seems-there.ts"
import { isPlainScript } from "./plain-script.ts"

/** Put in its place by the build: only the binary starts itself in one word. */
declare const MCP_EXEC_BUILD: string

// Longer than a script needs that only prints.
const soonMs = 10

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

/** The exit code of a script that nobody needs to attend to: it runs already, is soon over, and leaves nothing behind. */
export async function soonOver({ child, isCertain }: GuessedStart): Promise<number | undefined> {
  if (!isCertain) return undefined
  await Promise.race([child.exited, Bun.sleep(soonMs)])
  const { exitCode } = child
  return exitCode === null || reaches(child.pid, 0) ? undefined : exitCode
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
  const project = configuredFolder(cwd)
  variables.MCP_EXEC_WORKSPACE = project === undefined ? cwd : `${project}/workspace`
  variables.MCP_EXEC_BROKER = endpoint.address
  variables.MCP_EXEC_TOKEN = endpoint.token
  const isCertain =
    project === undefined && cwd !== "/" && directory.startsWith("/") && seemsThere(directory) && isPlainScript(path)
  const leaveSignals = isCertain ? passSignalsOn(() => child.pid) : () => {}
  const order = isCertain ? [] : ["--when-served", String(process.pid)]
  const child = Bun.spawn([process.execPath, "__run", ...order, path, ...args], {
    env: variables,
    stdio: ["inherit", "inherit", "inherit"],
    detached: true,
  })
  return { child, path, cwd, env: variables, endpoint, isCertain, leaveSignals }
}

/** The nearest one with a configuration, by its name. */
function configuredFolder(cwd: string): string | undefined {
  for (let folder = cwd; ; folder = folder.slice(0, folder.lastIndexOf("/"))) {
    for (const name of ["mcp_config.json", "mcp-config.json", ".mcp.json"]) {
      if (mayExist(`${folder}/${name}`)) return folder
    }
    if (folder === "") return undefined
  }
}

/** Before there is a script: a signal that found nobody would end us and not the script. */
function passSignalsOn(pid: () => number): () => void {
  const onInterrupt = () => void reaches(pid(), "SIGINT")
  const onTerminate = () => void reaches(pid(), "SIGTERM")
  process.once("SIGINT", onInterrupt)
  process.once("SIGTERM", onTerminate)
  return () => {
    process.off("SIGINT", onInterrupt)
    process.off("SIGTERM", onTerminate)
  }
}

function reaches(group: number, signal: "SIGINT" | "SIGTERM" | 0): boolean {
  try {
    return process.kill(-group, signal)
  } catch {
    return false
  }
}
