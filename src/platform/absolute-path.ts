// Not in paths.ts: what the way to a script needs must load nothing.
import { homedir } from "node:os"
import { join, resolve } from "node:path"

/** A path that a user has written, as an absolute one. `~/` is the user's home. */
export function absolutePath(path: string, base: string): string {
  return /^~(?=$|[/\\])/.test(path) ? join(homedir(), path.slice(1)) : resolve(base, path)
}
