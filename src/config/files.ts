// Reading files on the path to a script's first line: Bun's own API where it exists, because
// loading node:fs in the compiled program costs more than the reading. Writes nothing.
import { ConfigError } from "../errors.ts"
import { neverModified } from "../platform/may-exist.ts"

/** True for a regular file (or a pipe) that exists; a directory of that name does not count. */
export async function isFile(path: string): Promise<boolean> {
  if (typeof Bun !== "undefined") return await Bun.file(path).exists()
  const status = await statOf(path)
  return status !== undefined && !status.isDirectory()
}

export interface Stamp {
  size: number
  modifiedMs: number
}

/** What tells one state of a file from another without reading it; undefined when nothing is there. */
export function stampOf(path: string): Stamp | undefined {
  if (typeof Bun === "undefined") {
    const status = process.getBuiltinModule("node:fs").statSync(path, { throwIfNoEntry: false })
    return status && { size: status.size, modifiedMs: Math.floor(status.mtimeMs) }
  }
  const { size, lastModified } = Bun.file(path)
  return lastModified === neverModified ? undefined : { size, modifiedMs: lastModified }
}

/** True for a directory. */
export async function isDirectory(path: string): Promise<boolean> {
  return (await statOf(path))?.isDirectory() ?? false
}

/** The text of a file. Rejects with the system's error when it cannot be read. */
export async function readText(path: string): Promise<string> {
  if (typeof Bun !== "undefined") return await Bun.file(path).text()
  const { readFile } = await import("node:fs/promises")
  return await readFile(path, "utf8")
}

/** The text of a configuration file; one that cannot be read is an error that says why. */
export async function readConfigText(file: string): Promise<string> {
  try {
    return await readText(file)
  } catch (cause) {
    const reason = (await isDirectory(file)) ? "EISDIR" : (cause as { code?: unknown }).code
    throw new ConfigError("E_CONFIG_NOT_FOUND", `cannot read ${file}: ${inWords(reason) ?? cause}`, {
      hint: "Check the path and its permissions, or choose another file with --config.",
      details: { file },
      cause,
    })
  }
}

/** A function: made as the module is loaded, a list of them would be felt in each start. */
function inWords(reason: unknown): unknown {
  if (reason === "ENOENT") return "it does not exist"
  if (reason === "EACCES") return "permission denied"
  return reason === "EISDIR" ? "it is a directory" : reason
}

async function statOf(path: string): Promise<{ isDirectory(): boolean } | undefined> {
  try {
    if (typeof Bun !== "undefined") return await Bun.file(path).stat()
    const { stat } = await import("node:fs/promises")
    return await stat(path)
  } catch {
    // Missing, or behind a folder we may not enter: either way not there for us.
    return undefined
  }
}
