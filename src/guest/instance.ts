import { createGuest, type Guest } from "./guest.ts"

// A process may hold this module twice: as `mcp-exec`, and in the servers/_runtime.ts of wrappers.
const key = Symbol.for("mcp-exec.guest")
const shared = globalThis as { [key]?: Guest }
shared[key] ??= createGuest(process.env)

/** One per process: the broker's token admits one connection. */
export const guest: Guest = shared[key]
