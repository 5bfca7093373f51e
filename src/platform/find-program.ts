// Where a command leads to, as the system would find it.
import { delimiter, join } from "node:path"

/** The program that a name means, on this PATH; undefined when there is none. A path is left as it is. */
export function findProgram(command: string, path: string | undefined): string | undefined {
  if (/[/\\]/.test(command)) return command
  if (typeof Bun !== "undefined") return Bun.which(command, { PATH: path ?? "" }) ?? undefined
  const { accessSync, constants } = process.getBuiltinModule("node:fs")
  return (path ?? "")
    .split(delimiter)
    .map((folder) => join(folder, command))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK)
        return true
      } catch {
        return false // not in this folder
      }
    })
}
