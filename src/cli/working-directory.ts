// Where a command acts: the folder it was started in, or the one that --cwd names.
import { McpExecError } from "../errors.ts"
import type { Globals } from "./globals.ts"
import type { CliIo } from "./io.ts"

export async function workingDirectory(io: CliIo, globals: Globals): Promise<string> {
  if (globals.cwd === undefined) return io.cwd
  const { resolve } = await import("node:path")
  const directory = resolve(io.cwd, globals.cwd)
  const { stat } = await import("node:fs/promises")
  const status = await stat(directory).catch(() => undefined)
  if (status?.isDirectory()) return directory
  throw new McpExecError("E_USAGE", `--cwd names a folder that does not exist: ${directory}`, {
    hint: "Give --cwd the path of a folder.",
  })
}
