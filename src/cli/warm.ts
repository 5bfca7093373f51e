// `mcp-exec __warm`: started by a sandboxed run that has taken a container from the pool, to put another
// in its place after it has ended. Nobody listens to it any more, so it says nothing.
import { fillSandboxPool } from "../operations/sandbox/pool.ts"

export async function runWarm(work: string): Promise<void> {
  await fillSandboxPool(JSON.parse(work), process.env)
}
