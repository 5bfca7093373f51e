// How Deno and Node import a script. Node can be told what a module's text is. Deno cannot, so there
// code that came from stdin or -e becomes a file beside the user for as long as the import takes.
import { existsSync, rmSync } from "node:fs"
import { readFile, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { findServers } from "./map-servers.ts"
import type { ScriptModule } from "./run.ts"

export async function importElsewhere(file: string, code: string | undefined): Promise<ScriptModule> {
  const text = code === undefined ? undefined : await readFile(code, "utf8")
  if (code !== undefined) await rm(code, { force: true })
  return "Deno" in globalThis ? await importInDeno(file, text) : await importInNode(file, text)
}

async function importInDeno(file: string, text: string | undefined): Promise<ScriptModule> {
  if (text === undefined) return import(pathToFileURL(file).href)
  const temporary = join(dirname(file), `.mcp-exec-${process.pid}.ts`)
  await writeFile(temporary, text)
  const remove = () => rmSync(temporary, { force: true })
  process.once("exit", remove)
  // Deno.exit tells only those who listen here.
  globalThis.addEventListener?.("unload", remove)
  try {
    return await import(pathToFileURL(temporary).href)
  } finally {
    remove()
  }
}

/** `mcp-exec` may be installed as a package, which is the library; a script gets the guest. */
async function importInNode(file: string, text: string | undefined): Promise<ScriptModule> {
  const script = pathToFileURL(file).href
  const guest = new URL(`./api.${import.meta.url.endsWith(".js") ? "js" : "ts"}`, import.meta.url).href
  process.getBuiltinModule("node:module").registerHooks({
    resolve(specifier, context, next) {
      if (specifier === "mcp-exec") return { url: guest, shortCircuit: true }
      if (specifier === script) return { url: script, shortCircuit: true }
      const wrappers = specifier.startsWith("#servers/") ? wrappersOf(specifier, file) : undefined
      return wrappers === undefined ? next(specifier, context) : { url: wrappers, shortCircuit: true }
    },
    load(url, context, next) {
      if (url !== script || text === undefined) return next(url, context)
      return { format: "module-typescript", source: text, shortCircuit: true }
    },
  })
  return import(script)
}

/** The functions of a server, in the nearest servers/ folder. */
function wrappersOf(specifier: string, file: string): string | undefined {
  const servers = findServers([dirname(file), process.cwd(), process.env.MCP_EXEC_WORKSPACE ?? ""])
  const index = servers && join(servers, specifier.slice("#servers/".length), "index.ts")
  return index !== undefined && existsSync(index) ? pathToFileURL(index).href : undefined
}
