// `#servers/<name>` without a package.json or tsconfig.json that says where that is: the nearest servers/
// folder. Bun asks no hook of ours for such a name, so the import has to fail first. Scripts that do
// not need this pay nothing; a script of which a line has run is never started a second time.
import { existsSync, readFileSync, statSync } from "node:fs"
import { dirname, join, normalize } from "node:path"
import { McpExecError } from "../errors.ts"
import type { ScriptModule } from "./run.ts"

const prefix = "#servers/"

/** Imports a script again whose import has failed because of such a name; any other error is thrown again. */
export async function importWithServers(error: unknown, file: string, text?: string): Promise<ScriptModule> {
  const { specifier, referrer } = error as { specifier?: unknown; referrer?: unknown }
  if (typeof specifier !== "string" || !specifier.startsWith(prefix)) throw error
  const importer = typeof referrer === "string" ? referrer : file
  const servers = findServers([dirname(file), process.cwd(), process.env.MCP_EXEC_WORKSPACE ?? ""])
  const entry = (name: string) => join(servers ?? "servers", name.slice(prefix.length), "index.ts")
  if (!existsSync(entry(specifier))) {
    throw notFound(specifier, importer, "Run mcp-exec generate; mcp-exec ls lists the servers that there are.")
  }
  const graph = staticImports(file, text)
  // A dynamic import fails when the script is already running.
  if (!graph.get(normalize(importer))?.includes(specifier)) {
    throw notFound(specifier, importer, "For import(…), run mcp-exec init: it maps #servers/ in package.json.")
  }
  const names = new Set([...graph.values()].flat().filter((name) => name.startsWith(prefix)))
  Bun.plugin({
    name: "mcp-exec servers",
    setup(build) {
      for (const name of names) {
        if (!existsSync(entry(name))) continue
        build.module(name, () => ({ contents: `export * from ${JSON.stringify(entry(name))}`, loader: "ts" }))
      }
    },
  })
  // They are remembered as failed.
  for (const path of [file, ...graph.keys()]) delete require.cache[path]
  return await import(file)
}

function notFound(name: string, importer: string, hint: string): McpExecError {
  return new McpExecError("E_SCRIPT_FAILED", `Cannot find '${name}' imported from ${importer}`, { hint })
}

/** The files that must be there before the first line of a script runs, and what each of them imports. */
function staticImports(file: string, text: string | undefined): Map<string, string[]> {
  const graph = new Map<string, string[]>()
  const visit = (path: string, source: string) => {
    const loader = path.endsWith("x") ? "tsx" : "ts"
    const imports = new Bun.Transpiler({ loader }).scanImports(source)
    const names = imports.filter(({ kind }) => kind === "import-statement").map((found) => found.path)
    graph.set(path, names)
    for (const name of names.filter((each) => /^[./]/.test(each))) {
      const target = resolve(name, path)
      if (target !== undefined && !graph.has(target)) visit(target, readFileSync(target, "utf8"))
    }
  }
  visit(normalize(file), text ?? readFileSync(file, "utf8"))
  return graph
}

function resolve(name: string, from: string): string | undefined {
  try {
    const path = Bun.resolveSync(name, dirname(from))
    return /\.[cm]?[jt]sx?$/.test(path) ? path : undefined
  } catch {
    return undefined // its own import will say so
  }
}

/** The first servers/ folder that one of these folders or a folder above it has. */
export function findServers(starts: readonly string[]): string | undefined {
  for (const start of starts) {
    for (let at = start; at !== ""; at = dirname(at)) {
      const servers = join(at, "servers")
      if (statSync(join(servers, "_runtime.ts"), { throwIfNoEntry: false })?.isFile()) return servers
      if (dirname(at) === at) break
    }
  }
  return undefined
}
