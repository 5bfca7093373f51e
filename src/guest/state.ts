// Small JSON values that outlive a run, in `.state/` of the workspace. Each key is a file of its own,
// written beside and renamed: runs at the same time neither see half a value nor lose each other's keys.
import { McpExecError } from "../errors.ts"

export interface State {
  /** The value, or undefined when there is none. */
  get<Value = unknown>(key: string): Promise<Value | undefined>
  /** Keeps a JSON value of at most 1 MB. */
  set(key: string, value: unknown): Promise<void>
  /** True when there was something to delete. */
  delete(key: string): Promise<boolean>
  /** All keys, in order. */
  list(): Promise<string[]>
}

interface Stored {
  key: string
  value: unknown
}

const maxValueBytes = 1_000_000
// A value, its key, and what is around them.
const maxFileBytes = 4_000_000

/** The state of one skill or script: `owner` is its name. */
export function createState(workspace: string, owner: string): State {
  return stateIn(() => `${workspace}/.state/${stateFolder(owner)}`)
}

/** The state whose files are in a folder, which is made when there is something to keep. */
export function stateIn(directory: () => string, shownAs = directory): State {
  // Loaded on use: most scripts keep nothing.
  const files = () => process.getBuiltinModule("node:fs/promises")
  const fileOf = (key: string) => `${directory()}/${stateFile(key)}`
  const failure = (what: string, path: string, cause: unknown) =>
    stateFailure(what, path.replace(directory(), shownAs()), cause)

  async function read(file: string): Promise<Stored | undefined> {
    let text: string
    try {
      text = await readPlainFile(file)
    } catch (cause) {
      if (isMissing(cause)) return undefined
      throw failure("cannot be read", file, cause)
    }
    try {
      return JSON.parse(text)
    } catch (cause) {
      throw failure("is not JSON any more", file, cause)
    }
  }

  return {
    async get<Value>(key: string) {
      return (await read(fileOf(key)))?.value as Value | undefined
    },

    async set(key, value) {
      const file = fileOf(key)
      const text = asJson(key, value)
      const temporary = `${file}.${crypto.randomUUID()}`
      try {
        await files().mkdir(directory(), { recursive: true })
        await files().writeFile(temporary, `{"key":${JSON.stringify(key)},"value":${text}}\n`)
        await files().rename(temporary, file)
      } catch (cause) {
        // What went wrong is told already; a file that was never made cannot be removed either.
        await files()
          .rm(temporary, { force: true })
          .catch(() => {})
        throw failure("cannot be written", file, cause)
      }
    },

    async delete(key) {
      const file = fileOf(key)
      try {
        await files().unlink(file)
        return true
      } catch (cause) {
        if (isMissing(cause)) return false
        throw failure("cannot be deleted", file, cause)
      }
    },

    async list() {
      const names = await files()
        .readdir(directory())
        .catch((cause) => {
          if (isMissing(cause)) return []
          throw failure("cannot be read", directory(), cause)
        })
      const kept = names.filter((name) => name.endsWith(".json"))
      const stored = await Promise.all(kept.map((name) => read(`${directory()}/${name}`)))
      // Another run may have deleted one in between.
      return stored.flatMap((each) => (each === undefined ? [] : [each.key])).sort()
    },
  }
}

/** The folder of a name: a file name everywhere; one that is not gets a digest, which keeps it apart from others. */
export function stateFolder(name: string): string {
  if (/^[a-z0-9][a-z0-9-]{0,63}$/.test(name)) return name
  const words = name.toLowerCase().replace(/[^a-z0-9]+/g, "-")
  return `${words.slice(0, 40)}.${digest(name).slice(0, 16)}`
}

/** The file of a key. Any text is a key, also one that no file system takes or tells apart. */
export function stateFile(key: string): string {
  return `${digest(checkedKey(key))}.json`
}

/** Never through a link, nor from a pipe that nobody writes to: others may write to the workspace, too. */
async function readPlainFile(path: string): Promise<string> {
  const { constants } = process.getBuiltinModule("node:fs")
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
  const file = await process.getBuiltinModule("node:fs/promises").open(path, flags)
  try {
    const status = await file.stat()
    if (!status.isFile() || status.size > maxFileBytes) throw new Error("it is not a file that was kept here")
    return await file.readFile("utf8")
  } finally {
    await file.close()
  }
}

function digest(text: string): string {
  return process.getBuiltinModule("node:crypto").createHash("sha256").update(text).digest("hex").slice(0, 32)
}

function checkedKey(key: unknown): string {
  if (typeof key === "string") return key
  throw new McpExecError("E_STATE", `A key of the state must be a string, not ${key === null ? "null" : typeof key}`)
}

/** A value as it is kept. Throws what is wrong with one that cannot be. */
export function asJson(key: string, value: unknown): string {
  let text: string | undefined
  let reason = `it is ${typeof value === "function" ? "a function" : typeof value}`
  try {
    text = JSON.stringify(value)
  } catch (error) {
    reason = error instanceof Error ? error.message : String(error)
  }
  if (text === undefined) {
    throw new McpExecError("E_STATE", `The value for ${shown(key)} cannot be kept as JSON: ${reason}`, {
      hint: "Keep what JSON can hold. state.delete(key) takes a value away.",
    })
  }
  const bytes = new TextEncoder().encode(text).length
  if (bytes <= maxValueBytes) return text
  throw new McpExecError("E_STATE", `The value for ${shown(key)} has ${bytes} bytes; ${maxValueBytes} can be kept`, {
    hint: "Write large data to a file in the workspace, and keep its name.",
  })
}

function shown(key: string): string {
  return JSON.stringify(key.length > 60 ? `${key.slice(0, 60)}…` : key)
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT"
}

function stateFailure(what: string, path: string, cause: unknown): McpExecError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new McpExecError("E_STATE", `Kept state ${what}: ${path}: ${reason}`, {
    hint: "Deleting the file forgets the value. The workspace must be writable.",
    cause,
  })
}
