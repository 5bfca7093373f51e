// How this program starts itself again: the compiled binary alone, or the source under its runtime.

/** True inside a binary made by `bun build --compile`, whose modules live in a virtual file system. */
export const isCompiled = import.meta.url.includes("/$bunfs/") || import.meta.url.includes("~BUN")

/** The command that runs this program with one of its hidden commands; arguments follow. */
export function selfCommand(command: "__run" | "__serve"): [string, ...string[]] {
  if (isCompiled) return [process.execPath, command]
  const main = process.getBuiltinModule("node:url").fileURLToPath(new URL("../main.ts", import.meta.url))
  if (!("Deno" in globalThis)) return [process.execPath, main, command]
  // Deno resolves bare names before any hook of ours can run, so `mcp-exec` is mapped from outside.
  const imports = { "mcp-exec": new URL("../guest/api.ts", import.meta.url).href }
  const map = `data:application/json,${encodeURIComponent(JSON.stringify({ imports }))}`
  return [process.execPath, "run", "-A", ...(command === "__run" ? ["--import-map", map] : []), main, command]
}
