// Where a command acts: the folder it was started in, or the one that --cwd names.
import { stat } from "node:fs/promises"
import { resolve } from "node:path"
import { McpExecError } from "../errors.ts"

export async function workingDirectory(startedIn: string, wanted: string | undefined): Promise<string> {
  if (wanted === undefined) return startedIn
  const directory = resolve(startedIn, wanted)
  const status = await stat(directory).catch(() => undefined)
  if (status?.isDirectory()) return directory
  const problem = status === undefined ? "a folder that does not exist" : "something that is not a folder"
  throw new McpExecError("E_USAGE", `--cwd names ${problem}: ${directory}`, {
    hint: "Give --cwd the path of a folder.",
  })
}
