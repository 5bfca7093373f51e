import { existsSync, realpathSync } from "node:fs"
import { dirname, sep } from "node:path"

/** True when writing `file` would write outside of `directory`: somebody else's repository may hold a link to a file of the user's. */
export function leadsOutside(file: string, directory: string): boolean {
  let existing = file
  while (!existsSync(existing)) existing = dirname(existing)
  return existing !== directory && !realpathSync(existing).startsWith(realpathSync(directory) + sep)
}
