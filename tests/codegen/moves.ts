// Systems that differ in what they can do with folders.
import { renameSync } from "node:fs"
import type { Moves } from "../../src/codegen/write-tree.ts"
import { exchangePaths } from "../../src/platform/exchange.ts"

export const systems = {
  "both folders change places": { exchange: exchangePaths, rename: renameSync },
  "folders can only be renamed": { exchange: async () => false, rename: renameSync },
  "the folder cannot be moved": { exchange: async () => false, rename: busy },
} satisfies Record<string, Moves>

export type System = keyof typeof systems

function busy(from: string): void {
  throw Object.assign(new Error(`EBUSY: ${from} is in use`), { code: "EBUSY" })
}
