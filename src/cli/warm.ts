// `mcp-exec __warm`: started by a sandboxed run that has taken a container from the pool, to put another
// in its place. Our input ends with that run. Nobody listens to us, so nothing is said.
import { fillSandboxPool } from "../operations/sandbox/pool.ts"
import { type CliIo, processIo } from "./io.ts"

export async function runWarm(work: string, io: CliIo = processIo()): Promise<void> {
  await fillSandboxPool(JSON.parse(work), io.env, io.stdin())
}
