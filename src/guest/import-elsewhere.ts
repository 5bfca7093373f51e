// How Deno and Node import a script. Neither can serve a module from memory at a chosen path, so
// code that came from stdin or -e becomes a file beside the user for as long as the import takes.
import { rmSync } from "node:fs"
import { readFile, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import type { ScriptModule } from "./run.ts"

export async function importElsewhere(file: string, code: string | undefined): Promise<ScriptModule> {
  if (code === undefined) return import(pathToFileURL(file).href)
  const temporary = join(dirname(file), `.mcp-exec-${process.pid}.ts`)
  await writeFile(temporary, await readFile(code, "utf8"))
  await rm(code, { force: true })
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
