import type { ErrorDescription } from "../../errors.ts"

const inTheWay = "Move it away, then run mcp-exec init again."
const notAllowed = "Check that you may write to this folder, then run mcp-exec init again."

const known: Record<string, [message: string, hint: string]> = {
  EACCES: ["permission denied", notAllowed],
  EPERM: ["permission denied", notAllowed],
  EROFS: ["the disk is read-only", "Set up a folder on another disk."],
  ENOSPC: ["the disk is full", "Make room, then run mcp-exec init again."],
  EISDIR: ["a folder of this name is in the way", inTheWay],
  EEXIST: ["a file of this name is in the way", inTheWay],
  ENOTDIR: ["a file is where a folder is needed", inTheWay],
}

/** What the system says of a step that failed. Its own words name files that only we know, such as drafts. */
export function describeSystemError(error: unknown): ErrorDescription {
  const { code, message } =
    error instanceof Error ? (error as NodeJS.ErrnoException) : { code: "", message: `${error}` }
  const [text, hint] = known[code ?? ""] ?? [message, "Run mcp-exec init again once that is put right."]
  return { code: "E_STATE", message: text, hint }
}
