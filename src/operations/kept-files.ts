// Files that a script wants to outlive its run. They wait in memory and are written when the script
// has ended well. Names come from untrusted code, and so may folders and links in the workspace:
// nothing is ever written outside of it, and nothing is followed.
import { lstatSync, mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { McpExecError } from "../errors.ts"

const maxBytes = 64 << 20
const maxFiles = 1000

export class KeptFiles {
  readonly #workspace: string
  readonly #files = new Map<string, Uint8Array>()
  #bytes = 0

  constructor(workspace: string) {
    this.#workspace = workspace
  }

  /** Takes a file and tells where it will be. */
  add(name: string, content: Uint8Array): string {
    const parts = name.split("/")
    if (!parts.every(isPlainName)) {
      throw new McpExecError("E_TOOL_ARGUMENTS", `A file cannot be kept as ${JSON.stringify(name)}`, {
        hint: 'Use a name, or a path inside the workspace such as "reports/today.csv".',
      })
    }
    this.#bytes += content.length - (this.#files.get(name)?.length ?? 0)
    this.#files.set(name, content)
    if (this.#bytes > maxBytes || this.#files.size > maxFiles) {
      this.#files.delete(name)
      this.#bytes -= content.length
      throw new McpExecError("E_TOOL_ARGUMENTS", `${name} is more than one run may keep`, {
        hint: `At most ${maxFiles} files of ${maxBytes >> 20} MB in all.`,
      })
    }
    return join(this.#workspace, name)
  }

  /** Writes them all. Throws when one cannot be written safely. */
  write(): void {
    mkdirSync(this.#workspace, { recursive: true })
    const root = realpathSync(this.#workspace)
    for (const [name, content] of this.#files) writeInside(root, name, content)
  }
}

/** No way up, nothing hidden, nothing that means something else on another system. */
function isPlainName(part: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it keeps out
  return part !== "" && !part.startsWith(".") && part.length <= 255 && !/[\u0000-\u001f\u007f\\:]/.test(part)
}

function writeInside(root: string, name: string, content: Uint8Array): void {
  const target = join(root, name)
  let folder = root
  for (const part of name.split("/").slice(0, -1)) {
    folder = join(folder, part)
    makeFolder(folder, name)
  }
  const draft = join(dirname(target), `.keep-${crypto.randomUUID()}`)
  try {
    writeFileSync(draft, content, { flag: "wx" })
    // Takes the place of whatever has the name, a link included: what the link points to stays as it is.
    renameSync(draft, target)
  } catch (cause) {
    rmSync(draft, { force: true })
    throw cannotKeep(name, cause instanceof Error ? cause.message : String(cause))
  }
}

function makeFolder(folder: string, name: string): void {
  try {
    mkdirSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
  }
  if (!lstatSync(folder).isDirectory()) throw cannotKeep(name, `${folder} is not a folder`)
}

function cannotKeep(name: string, reason: string): McpExecError {
  return new McpExecError("E_SANDBOX", `The file ${name} could not be kept: ${reason}`, {
    hint: "Check the workspace: it must be a folder that you may write to.",
  })
}
