// How this program starts itself again: the compiled binary alone, or its modules under the runtime that
// runs them now. Those are TypeScript in the source tree and JavaScript in the npm package.

/** True inside a binary made by `bun build --compile`, whose modules live in a virtual file system. */
export const isCompiled = import.meta.url.includes("/$bunfs/") || import.meta.url.includes("~BUN")

/** The command that runs this program with one of its hidden commands; arguments follow. */
export function selfCommand(command: "__run" | "__session" | "__serve" | "__daemon" | "__warm"): [string, ...string[]] {
  if (isCompiled) return [ownFile(), command]
  const main = process.getBuiltinModule("node:url").fileURLToPath(moduleUrl("main"))
  // As in the binary: no secrets from .env, no packages from the network.
  if (typeof Bun !== "undefined") return [process.execPath, "--no-env-file", "--no-install", main, command]
  if (!("Deno" in globalThis)) return [process.execPath, ...nodeFlags(), main, command]
  // Deno resolves bare names before any hook of ours can run, so `mcp-exec` is mapped from outside.
  const imports = { "mcp-exec": moduleUrl("guest/api").href }
  const map = `data:application/json,${encodeURIComponent(JSON.stringify({ imports }))}`
  const isScript = command === "__run" || command === "__session"
  return [process.execPath, "run", "-A", ...(isScript ? ["--import-map", map] : []), main, command]
}

/** An update may have put another version where our file was, or nothing. Linux still has ours then. */
function ownFile(): string {
  const running = "/proc/self/exe"
  const [there, ours] = [Bun.file(process.execPath), Bun.file(running)]
  const isOurs = there.size === ours.size && there.lastModified === ours.lastModified
  return isOurs || ours.size === 0 ? process.execPath : running
}

function moduleUrl(name: string): URL {
  return new URL(`../${name}.${import.meta.url.endsWith(".js") ? "js" : "ts"}`, import.meta.url)
}

/** Scripts are TypeScript, also such as cannot simply be stripped of its types. Node still warns of that. */
function nodeFlags(): string[] {
  const wanted = ["--experimental-transform-types", "--experimental-strip-types"]
  const flag = wanted.find((each) => process.allowedNodeEnvironmentFlags.has(each))
  const quiet = ["ExperimentalWarning", "MODULE_TYPELESS_PACKAGE_JSON"].map((name) => `--disable-warning=${name}`)
  return [...(flag === undefined ? [] : [flag]), ...quiet]
}
