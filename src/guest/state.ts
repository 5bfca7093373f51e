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

/** The state of one skill or script: `owner` is its name. */
export function createState(workspace: string, owner: string): State {
  // Loaded on use: most scripts keep nothing.
  const files = () => process.getBuiltinModule("node:fs/promises")
  const directory = () => `${workspace}/.state/${safeName(owner)}`
  // Any text is a key, also one that no file system takes or tells apart.
  const fileOf = (key: string) => `${directory()}/${digest(checkedKey(key))}.json`

  async function read(file: string): Promise<Stored | undefined> {
    let text: string
    try {
      text = await files().readFile(file, "utf8")
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
      checkLasts(workspace)
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

/** A name that is a file name everywhere; one that is not gets a digest, which keeps it apart from others. */
function safeName(name: string): string {
  if (/^[a-z0-9][a-z0-9-]{0,63}$/.test(name)) return name
  const words = name.toLowerCase().replace(/[^a-z0-9]+/g, "-")
  return `${words.slice(0, 40)}.${digest(name).slice(0, 16)}`
}

function digest(text: string): string {
  return process.getBuiltinModule("node:crypto").createHash("sha256").update(text).digest("hex").slice(0, 32)
}

function checkedKey(key: unknown): string {
  if (typeof key === "string") return key
  throw new McpExecError("E_STATE", `A key of the state must be a string, not ${key === null ? "null" : typeof key}`)
}

function asJson(key: string, value: unknown): string {
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

/** In a sandbox the workspace may be a folder in memory, which ends with the run. */
function checkLasts(workspace: string): void {
  if (process.env.MCP_EXEC_SCRATCH !== workspace) return
  throw new McpExecError("E_STATE", "No state can be kept: this sandbox shows no workspace", {
    hint: "Run it with --workspace rw, and a workspace that exists.",
  })
}

function failure(what: string, path: string, cause: unknown): McpExecError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  const isReadOnly = cause instanceof Error && "code" in cause && cause.code === "EROFS"
  return new McpExecError("E_STATE", `Kept state ${what}: ${path}: ${reason}`, {
    hint: isReadOnly
      ? "In the sandbox the workspace is read-only: run it with --workspace rw"
      : "Deleting the file forgets the value. The workspace must be writable.",
    cause,
  })
}
