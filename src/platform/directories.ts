// Where this program keeps what it can make again. On the path of every command: loads nothing.
import { within } from "./paths.ts"

/** The folder for caches: MCP_EXEC_CACHE_DIR, or mcp-exec's own in the platform's usual place. */
export function cacheDirectory(env: Record<string, string | undefined>, platform: string = process.platform): string {
  // A script may run in another folder than we do, and is told paths in this one.
  if (env.MCP_EXEC_CACHE_DIR) return within(process.cwd(), env.MCP_EXEC_CACHE_DIR)
  // The XDG specification says that a relative path is to be ignored.
  if (env.XDG_CACHE_HOME?.startsWith("/")) return `${env.XDG_CACHE_HOME}/mcp-exec`
  if (platform === "win32") {
    const local = env.LOCALAPPDATA || `${homeDirectory(env.USERPROFILE)}\\AppData\\Local`
    return `${local}\\mcp-exec\\cache`
  }
  const home = homeDirectory(env.HOME)
  return platform === "darwin" ? `${home}/Library/Caches/mcp-exec` : `${home}/.cache/mcp-exec`
}

function homeDirectory(fromEnvironment: string | undefined): string {
  return fromEnvironment || process.getBuiltinModule("node:os").homedir()
}
