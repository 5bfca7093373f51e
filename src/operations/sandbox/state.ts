// The state of a sandboxed script, kept for it outside: it cannot write to the workspace. It gets at the
// state of its own name alone, and how much that is is limited here. Other runs may write to the workspace
// and leave links in it: none is followed.
import { closeSync, constants, lstatSync, mkdirSync, openSync, readdirSync, realpathSync } from "node:fs"
import type { HostOptions } from "../../broker/host.ts"
import type { StateRequest } from "../../broker/protocol.ts"
import { McpExecError } from "../../errors.ts"
import { asJson, type State, stateFile, stateFolder, stateIn } from "../../guest/state.ts"

const maxBytes = 16 << 20
const maxValues = 1000
const maxKeyLength = 64 << 10

/** Answers what a script at this path asks of its state. */
export function sandboxState(workspace: string, script: string): NonNullable<HostOptions["state"]> {
  const names = namesOf(script)
  let last: Promise<unknown> = Promise.resolve()
  return (request) => {
    // One after the other: each counts what the one before has left.
    const answer = last.then(() => perform(workspace, names, request))
    last = answer.catch(() => {})
    return answer
  }
}

/** Of its file, and of the folder in `skills/` that it lies in. */
function namesOf(script: string): string[] {
  const file = script.slice(script.lastIndexOf("/") + 1).replace(/\.\w+$/, "")
  const skill = /\/skills\/([^/]+)\//.exec(script)?.[1]
  return skill === undefined ? [file] : [file, skill]
}

async function perform(workspace: string, names: string[], { action, name, key, value }: StateRequest) {
  if (!names.includes(name)) {
    throw new McpExecError("E_STATE", `In the sandbox this script has no access to the state of ${shown(name)}`, {
      hint: `It may keep its own: ${names.map(shown).join(", ")}`,
    })
  }
  if (key.length > maxKeyLength) throw new McpExecError("E_STATE", "The key is too long for the sandbox")
  using folder = openFolder(workspace, stateFolder(name), action === "set")
  if (folder === undefined) return { get: undefined, set: undefined, delete: false, list: [] }[action]
  const { path, shownAs } = folder
  const state: State = stateIn(
    () => path,
    () => shownAs,
  )
  if (action === "get") return await state.get(key)
  if (action === "delete") return await state.delete(key)
  checkSize(path, name, action === "set" ? { file: stateFile(key), bytes: asJson(key, value).length } : undefined)
  return action === "list" ? await state.list() : await state.set(key, value)
}

interface Folder extends Disposable {
  path: string
  shownAs: string
}

/** Undefined when there is none, and none is to be made. */
function openFolder(workspace: string, name: string, isMade: boolean): Folder | undefined {
  const shownAs = `${workspace}/.state/${name}`
  const opened: number[] = []
  const close = () => {
    for (const each of opened) closeSync(each)
  }
  try {
    if (isMade) mkdirSync(workspace, { recursive: true })
    let path = realpathSync(workspace)
    for (const part of [".state", name]) {
      path = `${path}/${part}`
      if (isMade) makeFolder(path)
      const end = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
      opened.push(end)
      // By what was opened, whatever takes its name meanwhile. Elsewhere there is no such path.
      if (process.platform === "linux") path = `/proc/self/fd/${end}`
    }
    return { path, shownAs, [Symbol.dispose]: close }
  } catch (cause) {
    close()
    if (!isMade && (cause as NodeJS.ErrnoException).code === "ENOENT") return undefined
    throw new McpExecError("E_STATE", `No state can be kept in ${shownAs}: ${(cause as Error).message}`, {
      hint: "It must be a folder that you may write to, and no link.",
      cause,
    })
  }
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
  }
}

/** With `added`, of what would be there then. */
function checkSize(folder: string, name: string, added?: { file: string; bytes: number }): void {
  const others = readdirSync(folder).filter((file) => file !== added?.file)
  const values = others.length + (added === undefined ? 0 : 1)
  if (values <= maxValues) {
    const sizes = others.map((file) => lstatSync(`${folder}/${file}`, { throwIfNoEntry: false })?.size ?? 0)
    if (sizes.reduce((sum, size) => sum + size, added?.bytes ?? 0) <= maxBytes) return
  }
  throw new McpExecError("E_STATE", `${shown(name)} would keep more state than the sandbox allows`, {
    hint: `At most ${maxValues} values and ${maxBytes >> 20} MB in all. state.delete(key) makes room.`,
  })
}

function shown(name: string): string {
  return JSON.stringify(name.length > 60 ? `${name.slice(0, 60)}…` : name)
}
