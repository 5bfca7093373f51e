// The files that a script brings along: itself and the sources that it imports by relative paths.
// The folder it lies in is not shown to it: that may be the project, with the configuration and .env
// in it, or the user's home. The script is untrusted and chooses its imports, so only source files
// count, only inside the root, never hidden ones, and never through a link that leads out.
import { readFileSync, realpathSync, statSync } from "node:fs"
import { dirname, extname, join, relative, resolve } from "node:path"
import { McpExecError } from "../../errors.ts"
import type { ScriptFile } from "../../guest/box-messages.ts"
import type { Script } from "../harness.ts"

export interface ScriptFilesOptions {
  /** Nothing outside of it is looked at. */
  root: string
  /** Folders that the container sees anyway. */
  mounted: readonly string[]
}

const extensions = [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"]
// What tells the runtime how to read the others.
const settings = ["package.json", "tsconfig.json"]
const maxFiles = 1000
const maxBytes = 16 << 20
const importPattern = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*["'](\.{1,2}\/[^"'\n]+)["']/g

/** Collects the files, the script's own first. */
export function collectScriptFiles(script: Script, { root, mounted }: ScriptFilesOptions): ScriptFile[] {
  const found = new Map<string, ScriptFile>()
  const queue: string[] = []
  let bytes = 0
  const scan = (text: string, path: string) => {
    for (const [, name] of text.matchAll(importPattern)) queue.push(resolve(dirname(path), name as string))
  }
  const put = (path: string, text: string) => {
    found.set(path, { path, text })
    bytes += text.length
    if (found.size > maxFiles || bytes > maxBytes) throw tooMuch(script)
  }
  const add = (path: string) => {
    if (found.has(path) || !isWithin(path, root)) return
    const text = readSource(path, root)
    if (text === undefined) return
    put(path, text)
    if (!settings.includes(relative(root, path))) scan(text, path)
  }
  if (script.kind === "code") scan(script.code, script.name)
  else {
    // The user has named it: whatever it is called, it is meant.
    const text = readFileSync(script.path, "utf8")
    put(script.path, text)
    scan(text, script.path)
  }
  for (const name of settings) add(join(root, name))
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    const file = candidates(path).find((each) => isSource(each, root))
    if (file !== undefined) add(file)
  }
  return [...found.values()].filter(({ path }) => !mounted.some((folder) => isWithin(path, folder)))
}

/** True for the folder itself, too. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`)
}

function candidates(path: string): string[] {
  // `./a.js` may mean a.ts, as TypeScript has it.
  const asTypeScript = path.replace(/\.([cm]?)js(x?)$/, ".$1ts$2")
  const completed = extensions.flatMap((extension) => [`${path}${extension}`, join(path, `index${extension}`)])
  return [path, asTypeScript, ...completed]
}

function isSource(path: string, root: string): boolean {
  if (!extensions.includes(extname(path)) || !isWithin(path, root)) return false
  try {
    return statSync(path).isFile()
  } catch {
    return false
  }
}

function readSource(path: string, root: string): string | undefined {
  if (
    relative(root, path)
      .split("/")
      .some((part) => part.startsWith("."))
  )
    return undefined
  try {
    const real = realpathSync(path)
    const isInside = isWithin(real, realpathSync(root))
    const isWhatItSays = settings.includes(relative(root, path)) || extensions.includes(extname(real))
    return isInside && isWhatItSays && statSync(real).isFile() ? readFileSync(real, "utf8") : undefined
  } catch {
    return undefined // not there: the script's own import will say so, if it is one
  }
}

function tooMuch(script: Script): McpExecError {
  const name = script.kind === "file" ? script.path : "The code"
  return new McpExecError("E_SANDBOX", `${name} imports more than the sandbox takes along`, {
    hint: `At most ${maxFiles} files and ${maxBytes >> 20} MB; node_modules, servers/ and skills/ do not count.`,
  })
}
