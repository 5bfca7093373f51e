// An engine through which no socket passes, as in a virtual machine: folders are shown, but a socket in them
// leads nowhere. It is the real engine; only the folder of the sockets is replaced by an empty one.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { EngineName } from "./program.ts"
import { sharedFolder } from "./shared.ts"

/** The variables with which this engine is found instead of the other. */
export function walledEnv(engine: EngineName): Record<string, string> {
  const folder = join(sharedFolder(), "walled")
  const empty = join(folder, "empty")
  mkdirSync(empty, { recursive: true })
  const real = Bun.which(engine, { PATH: process.env.PATH ?? "" })
  const text = `#!/bin/sh
for word; do shift; case "$word" in *:/run/mcp-exec:ro) word=${empty}:/run/mcp-exec:ro ;; esac; set -- "$@" "$word"; done
exec ${real} "$@"
`
  // Written once, for all test files: an engine that has changed is tried out again, and says so.
  const program = join(folder, engine)
  if (!existsSync(program) || readFileSync(program, "utf8") !== text) {
    writeFileSync(`${program}-${process.pid}`, text, { mode: 0o755 })
    renameSync(`${program}-${process.pid}`, program)
  }
  return { PATH: `${folder}:${process.env.PATH}` }
}
