// The folder where a script may write. It is there when the script looks.

/** The path of the workspace, which is made if it is missing. */
export function prepareWorkspace(env: Record<string, string | undefined>): string {
  const path = env.MCP_EXEC_WORKSPACE ?? process.cwd()
  // Bun looks without loading node:fs; a folder's size is never 0.
  if (typeof Bun !== "undefined" && Bun.file(path).size > 0) return path
  try {
    process.getBuiltinModule("node:fs").mkdirSync(path, { recursive: true })
  } catch {
    // A read-only place: the script's own write will say so, if it writes at all.
  }
  return path
}
