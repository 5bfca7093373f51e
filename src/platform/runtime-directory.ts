// The private folder for sockets and short-lived files: only this user may enter it. It stays
// between runs, so that a run pays for one look and not for making it.

type Environment = Record<string, string | undefined>

// Linux allows 107 bytes for a socket's path, macOS 103; our file names take 20.
const maxDirectoryLength = 80

/** Finds or makes the folder: mode 0700 and ours, or an error. Not a promise when it is there already. */
export function runtimeDirectory(env: Environment, cacheDirectory: string): Promise<string> | string {
  const directories = candidates(env, cacheDirectory)
  const [preferred] = directories
  return preferred !== undefined && seemsThere(preferred) ? preferred : firstPrivate(directories)
}

async function firstPrivate(directories: readonly string[]): Promise<string> {
  const { makePrivate } = await import("./private-directory.ts")
  let reason: unknown
  for (const directory of directories) {
    try {
      makePrivate(directory)
      return directory
    } catch (error) {
      reason = error // read-only, or somebody else's: the next one
    }
  }
  throw reason
}

function candidates(env: Environment, cacheDirectory: string): string[] {
  const fallback = `${env.TMPDIR ?? "/tmp"}/mcp-exec-${process.getuid?.() ?? "user"}`
  const own = env.XDG_RUNTIME_DIR?.startsWith("/") ? `${env.XDG_RUNTIME_DIR}/mcp-exec` : `${cacheDirectory}/run`
  return own.length <= maxDirectoryLength ? [own, fallback] : [fallback]
}

/**
 * A cheap look that loads nothing. Enough for folders inside the user's own: they were checked when
 * they were made. The one in a shared /tmp is checked every time.
 */
function seemsThere(directory: string): boolean {
  if (typeof Bun === "undefined" || directory.includes("/mcp-exec-")) return false
  // The size is read synchronously; a folder has one on every file system that holds sockets.
  return Bun.file(directory).size > 0
}
