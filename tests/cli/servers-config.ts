// Entries of a configuration for servers that tests need.
import { join } from "node:path"

const root = join(import.meta.dir, "../..")

export const echo = { type: "builtin", name: "echo" }
export const missing = { command: "no-such-program-anywhere" }
/** Port 9 is the discard service: nobody listens there. */
export const unreachable = { url: "http://me:hunter2@127.0.0.1:9/mcp" }
export const exits = fixture("exits")

/** A server of tests/fixtures/servers. */
export function fixture(name: string, ...args: string[]) {
  return { command: process.execPath, args: [join(root, "tests/fixtures/servers", `${name}.ts`), ...args] }
}

/** An official server from npm. */
export function official(name: "everything" | "filesystem" | "memory", ...args: string[]) {
  const entry = join(root, "node_modules/@modelcontextprotocol", `server-${name}`, "dist/index.js")
  return { command: process.execPath, args: [entry, ...args] }
}
