// Where a skill is added from. Fetching gets text and nothing else: no hook, install script or skill is run.
import { existsSync } from "node:fs"
import { homedir } from "node:os"
import { resolve } from "node:path"
import { McpExecError } from "../../errors.ts"

/** A file of a source: its path there, with `/`, and its text. */
export type SourceFiles = Map<string, string>

/** What a source holds. */
export interface Fetched {
  files: SourceFiles
  /** What is not taken: a skill is text, and its links would lead elsewhere here. */
  left: { path: string; why: "link" | "not text" | "too large" }[]
}

export type Source =
  | { kind: "path"; path: string }
  | { kind: "file"; url: string }
  | { kind: "git"; url: string; ref?: string; folder?: string }
  | { kind: "npm"; spec: string }

/** What a source may hold at most: skills are small. */
export const largestSource = 4 << 20
export const largestFile = 256 << 10
export const mostFiles = 500

/** Tells what kind of source was named. */
export function parseSource(given: string, cwd: string): Source {
  const text = given.trim()
  if (text === "") throw new McpExecError("E_USAGE", "The source is empty", { hint: sourceHint })
  if (text.startsWith("npm:")) return npm(text.slice(4), given)
  const path = resolve(cwd, text.replace(/^~(?=\/|$)/, homedir()))
  if (existsSync(path)) return { kind: "path", path }
  if (/^(\.{0,2}\/|~\/|[A-Za-z]:\\)/.test(text)) {
    throw new McpExecError("E_USAGE", `There is no file or folder ${path}`, { hint: sourceHint })
  }
  const git = gitSource(text)
  if (git !== undefined) return git
  if (/^https?:\/\//i.test(text)) return fileSource(text)
  if (/^[a-z][a-z+.-]*:\/\//i.test(text)) {
    throw new McpExecError("E_USAGE", `${text} is not an address that skills can be added from`, { hint: sourceHint })
  }
  return npm(text, given)
}

export const sourceHint =
  "Give a file, a folder, a git address (https://….git), the https address of a .ts file, or an npm package."

function npm(spec: string, given: string): Source {
  // Nothing that npm would take for a path, a repository or an option.
  if (/^(@[a-z0-9~][\w.~-]*\/)?[a-z0-9~][\w.~-]*(@[\w.^~=*+-]+)?$/i.test(spec)) return { kind: "npm", spec }
  throw new McpExecError("E_USAGE", `'${given}' is neither a path, an address nor the name of a package`, {
    hint: sourceHint,
  })
}

function gitSource(text: string): Source | undefined {
  const [address = "", ref] = text.split("#", 2)
  if (ref !== undefined && !/^[\w./][\w./-]*$/.test(ref)) return undefined
  const withRef = ref === undefined ? {} : { ref }
  const short = /^(github|gitlab):([\w.-]+\/[\w.-]+)$/.exec(address)
  if (short !== null) return { kind: "git", url: `https://${short[1]}.com/${short[2]}.git`, ...withRef }
  const page = /^https:\/\/(github|gitlab)\.com\/([\w.-]+\/[\w.-]+?)\/(?:-\/)?tree\/([\w.-]+)\/(.+?)\/?$/.exec(address)
  if (page !== null) {
    const [, host, repository, branch, folder] = page as unknown as [string, string, string, string, string]
    return { kind: "git", url: `https://${host}.com/${repository}.git`, ref: branch, folder }
  }
  const repository = /^https:\/\/(github|gitlab)\.com\/[\w.-]+\/[\w.-]+\/?$/.test(address)
  const isGit = /^git\+(https|ssh|file):\/\//.test(address) || /^(https?|ssh|git|file):\/\/.*\.git\/?$/.test(address)
  const isScp = /^[\w.-]+@[\w.-]+:[\w./~-]+$/.test(address)
  if (!repository && !isGit && !isScp && !address.startsWith("ssh://")) return undefined
  return { kind: "git", url: address.replace(/^git\+/, ""), ...withRef }
}

function fileSource(text: string): Source {
  const url = URL.parse(text)
  if (url === null) throw new McpExecError("E_USAGE", `${text} is not a valid address`, { hint: sourceHint })
  if (url.protocol !== "https:" && !isOnThisMachine(url)) {
    throw new McpExecError("E_USAGE", `${text} is not encrypted: what arrives may not be what was sent`, {
      hint: `Use ${text.replace(/^http:/i, "https:")}`,
    })
  }
  // The page of a file on GitHub is not the file.
  const page = /^https:\/\/github\.com\/([\w.-]+\/[\w.-]+)\/blob\/(.+)$/.exec(text)
  return { kind: "file", url: page === null ? text : `https://raw.githubusercontent.com/${page[1]}/${page[2]}` }
}

/** True where nothing travels over a network. */
export function isOnThisMachine({ hostname }: URL): boolean {
  return ["localhost", "127.0.0.1", "[::1]"].includes(hostname)
}

/** The error for a source that could not be had. */
export function failure(message: string, cause?: unknown): McpExecError {
  return new McpExecError("E_STATE", message, { hint: "Is the source right, and can it be reached from here?", cause })
}

/** The text of a file, or an error when it is none. */
export function asText(bytes: Buffer, what: string): string {
  if (bytes.length > largestFile) throw tooLarge(what)
  if (!bytes.includes(0)) return bytes.toString("utf8")
  throw new McpExecError("E_USAGE", `${what} is not text`, { hint: sourceHint })
}

/** The error for what is more than a skill may be. */
export function tooLarge(what: string): McpExecError {
  return new McpExecError("E_USAGE", `${what} is too large for a skill`, {
    hint: `At most ${largestFile >> 10} KB a file, ${largestSource >> 20} MB and ${mostFiles} files together. Name the skill's own folder.`,
  })
}
