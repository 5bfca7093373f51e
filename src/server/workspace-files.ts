// The files of the workspace for readers from outside. Nothing above it, and nothing that a link in it
// leads to elsewhere.
import { lstatSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs"
import { join, sep } from "node:path"
import { McpExecError } from "../errors.ts"

/** Text as it is, anything else in base64. */
export type Content = { text: string } | { blob: string }

const maxListed = 10_000
const maxBytes = 10 << 20

/** Paths of ordinary files, with slashes. Hidden ones and links are left out. */
export function listWorkspace(workspace: string): { path: string; size: number }[] {
  const found: { path: string; size: number }[] = []
  const folders = [""]
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    for (const entry of entriesOf(join(workspace, folder))) {
      if (found.length >= maxListed) return found
      if (entry.name.startsWith(".")) continue
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory()) folders.push(path)
      else if (entry.isFile()) {
        const size = lstatSync(join(workspace, path), { throwIfNoEntry: false })?.size
        if (size !== undefined) found.push({ path, size })
      }
    }
  }
  return found
}

/** One file: text as text, anything else as base64. */
export async function readWorkspaceFile(
  workspace: string,
  parts: readonly string[],
): Promise<Content & { mimeType: string }> {
  const path = parts.join("/")
  const isPlain = parts.every((part) => part !== "" && part !== "." && part !== ".." && !/[\\/\0]/.test(part))
  const file = isPlain ? inside(workspace, join(workspace, ...parts)) : undefined
  const status = file === undefined ? undefined : statSync(file)
  if (file === undefined || !status?.isFile()) {
    throw new McpExecError("E_USAGE", `There is no file ${path} in the workspace`, {
      hint: "resources/list names those that there are.",
    })
  }
  if (status.size > maxBytes) {
    throw new McpExecError("E_LIMIT", `${path} has ${status.size} bytes, which is too much for one answer`, {
      hint: "Read it in a script, and print what you need of it.",
    })
  }
  const content = readFileSync(file)
  const text = content.toString("utf8")
  const isText = !text.includes("\0") && Buffer.from(text, "utf8").equals(content)
  return isText
    ? { mimeType: mimeTypes[extensionOf(path)] ?? "text/plain", text }
    : { mimeType: mimeTypes[extensionOf(path)] ?? "application/octet-stream", blob: content.toString("base64") }
}

const mimeTypes: Record<string, string> = {
  csv: "text/csv",
  gif: "image/gif",
  html: "text/html",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  json: "application/json",
  md: "text/markdown",
  pdf: "application/pdf",
  png: "image/png",
  svg: "image/svg+xml",
  webp: "image/webp",
}

function extensionOf(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1).toLowerCase()
}

/** Where the path really leads, when that is in the workspace. */
function inside(workspace: string, path: string): string | undefined {
  try {
    const file = realpathSync(path)
    return file.startsWith(realpathSync(workspace) + sep) ? file : undefined
  } catch {
    return undefined // not there
  }
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return [] // gone, or not ours to read
  }
}
