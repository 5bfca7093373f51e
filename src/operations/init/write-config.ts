// The first step: the configuration, new or with servers of other programs added.
import { relative } from "node:path"
import type { Imported } from "../../config/import/import-servers.ts"
import type { Config } from "../../config/schema.ts"
import { describeError } from "../../errors.ts"
import type { OperationContext } from "../context.ts"
import type { InitOutput, InitStep } from "./init.ts"
import { putFile, readIfThere } from "./put-file.ts"
import { shortList } from "./short-list.ts"
import type { WriteContext } from "./write-files.ts"

export interface Folder {
  /** The configuration, whether it is there or not. */
  file: string
  directory: string
  existing: string | undefined
  /** The configuration that has counted here so far, of a folder above. */
  above?: string | undefined
  /** The file of another program that has been the configuration so far. */
  shared?: string | undefined
}

/** Writes the configuration, and tells what is in it. Undefined when it is not valid. */
export async function writeConfig(
  context: OperationContext,
  folder: Folder,
  { from, force, mayReplace }: WriteContext & { from: readonly string[] },
  output: InitOutput,
): Promise<{ step: InitStep; config: Config | undefined }> {
  const { file, directory } = folder
  const path = relative(directory, file)
  const existing = readIfThere(file)
  const { addServers, newConfig } = await import("./config-file.ts")
  const { parseConfig } = await import("../../config/load.ts")
  const imported = await bringIn(context, folder, from, output)
  if (existing !== undefined) {
    try {
      parseConfig(existing, { file })
    } catch (error) {
      if (!mayReplace(path)) return { step: { path, state: "refused", error: describeError(error) }, config: undefined }
      return create()
    }
    const edit = addServers(existing, imported.servers, { file, replace: force })
    for (const name of edit.differing) {
      output.notes.push(`${name}: ${path} has another server of this name, which stays; --force replaces it`)
    }
    const config = parseConfig(edit.text, { file })
    if (edit.text === existing) return { step: { path, state: "unchanged", detail: listNames(config) }, config }
    putFile(file, edit.text, imported.hasSecrets ? 0o600 : undefined)
    return { step: { path, state: "updated", detail: `added ${shortList(edit.added)}` }, config }
  }
  if (folder.above !== undefined) {
    output.notes.push(`${folder.above} has counted here so far; from now on it is this folder's own ${path}`)
  }
  if (folder.shared !== undefined) {
    output.notes.push(`${path} now counts instead of ${relative(directory, folder.shared)}`)
  }
  return create()

  function create(): { step: InitStep; config: Config } {
    const { text } = newConfig(imported.servers, file)
    putFile(file, text, imported.hasSecrets ? 0o600 : undefined)
    const config = parseConfig(text, { file })
    return { step: { path, state: existing === undefined ? "created" : "updated", detail: listNames(config) }, config }
  }
}

/** What other programs have: brought in where that was asked for, else only mentioned. */
async function bringIn(
  { env }: OperationContext,
  { directory, existing }: Folder,
  from: readonly string[],
  output: InitOutput,
): Promise<Pick<Imported, "servers" | "hasSecrets">> {
  const { findPrograms, importServers } = await import("../../config/import/import-servers.ts")
  const { placeOf } = await import("../../config/import/program.ts")
  const place = placeOf(env, directory)
  if (from.length === 0) {
    // Whoever has a configuration has made up their mind.
    if (existing === undefined) output.found.push(...(await findPrograms(place)))
    return { servers: new Map(), hasSecrets: false }
  }
  const imported = await importServers(place, from)
  output.found.push(...imported.sources)
  output.steps.push(...imported.unread.map((path): InitStep => ({ path, state: "failed", detail: "it was not read" })))
  output.notes.push(
    ...imported.notes.map(({ program, server, message }) =>
      [program, ...(server === undefined ? [] : [server]), message].join(": "),
    ),
  )
  return imported
}

function listNames({ servers }: Config): string {
  return shortList(Object.keys(servers)) || "no servers"
}
