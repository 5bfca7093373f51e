// The last script of a project that worked, so that it can be made a skill. A cache: when it cannot be
// written or read, there is no last run.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { hashText } from "./hash-text.ts"
import { putFile } from "./put-file.ts"

export interface LastRun {
  /** Where the script was, or pretended to be: relative imports start here. */
  path: string
  code: string
  /** What it called, as [server, tool]. */
  tools: [server: string, tool: string][]
}

const largestScript = 1 << 20

export function writeLastRun(cacheDirectory: string, project: string, run: LastRun): void {
  if (run.code.length > largestScript) return
  try {
    putFile(recordFile(cacheDirectory, project), JSON.stringify({ format: 1, ...run }), { isPrivate: true })
  } catch {
    // A full disk or a read-only home: the script has done its work all the same.
  }
}

/** The last run of a project; undefined when none is remembered. */
export function readLastRun(cacheDirectory: string, project: string): LastRun | undefined {
  try {
    const { format, path, code, tools } = JSON.parse(readFileSync(recordFile(cacheDirectory, project), "utf8"))
    const isWhole = format === 1 && typeof path === "string" && typeof code === "string" && Array.isArray(tools)
    return isWhole ? { path, code, tools } : undefined
  } catch {
    return undefined // there is none, or none that can be understood
  }
}

function recordFile(cacheDirectory: string, project: string): string {
  return join(cacheDirectory, "runs", `${hashText(project)}.json`)
}
