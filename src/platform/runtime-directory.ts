// The private folder for sockets and short-lived files: only this user may enter it. It stays
// between runs, so that a run pays for one look and not for making it.
import { McpExecError } from "../errors.ts"

type Environment = Record<string, string | undefined>

// Linux allows 107 bytes for a socket's path, macOS 103; our file names take 20.
const maxDirectoryLength = 80

/** Finds or makes the folder: mode 0700 and ours, or an error. Not a promise when it is there already. */
export function runtimeDirectory(env: Environment, cacheDirectory: string): Promise<string> | string {
  const own = env.XDG_RUNTIME_DIR?.startsWith("/") ? `${env.XDG_RUNTIME_DIR}/mcp-exec` : `${cacheDirectory}/run`
  return own.length <= maxDirectoryLength && seemsThere(own) ? own : firstPrivate([own, ...temporary(env)])
}

async function firstPrivate(directories: readonly string[]): Promise<string> {
  const { makePrivate } = await import("./private-directory.ts")
  const reasons: string[] = []
  for (const directory of directories) {
    if (directory.length > maxDirectoryLength) continue
    try {
      makePrivate(directory)
      return directory
    } catch (error) {
      // Read-only, or somebody else's: the next one.
      reasons.push(error instanceof Error ? error.message : String(error))
    }
  }
  throw new McpExecError("E_BROKER", `There is no private folder for the run's socket: ${reasons.join("; ")}`, {
    hint: "Point MCP_EXEC_CACHE_DIR at a folder of yours that can be written.",
  })
}

function temporary({ TMPDIR }: Environment): string[] {
  const name = `mcp-exec-${process.getuid?.() ?? "user"}`
  // One that is relative or empty would be made wherever the user is.
  return TMPDIR?.startsWith("/") ? [`${TMPDIR}/${name}`, `/tmp/${name}`] : [`/tmp/${name}`]
}

/**
 * A cheap look that loads nothing. Enough for folders inside the user's own, from which configurations are
 * believed to be valid, too: they were checked when they were made, and are once more by whoever answers in
 * them, while the script loads. The one in a shared /tmp is checked before it is used.
 */
function seemsThere(directory: string): boolean {
  if (typeof Bun === "undefined" || directory.includes("/mcp-exec-")) return false
  // The size is read synchronously; a folder has one on every file system that holds sockets. With the
  // slash, a file of that name has none.
  return Bun.file(`${directory}/`).size > 0
}
