// A manager over a config, closed at the end of the test that made it.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { ManagerOptions } from "../../src/mcp/manager.ts"
import { ClientManager } from "../../src/mcp/manager.ts"
import { makeConfig, type ServerInput } from "../fixtures/config.ts"

/** An initialized manager of these servers. */
export async function startManager(
  servers: Record<string, ServerInput>,
  options: Partial<ManagerOptions> & { directory?: string; workspace?: string; file?: string } = {},
): Promise<ClientManager> {
  const { directory, workspace, file, ...managerOptions } = options
  const config = makeConfig({
    servers,
    ...(directory !== undefined && { directory }),
    ...(workspace !== undefined && { workspace }),
    ...(file !== undefined && { file }),
  })
  const manager = new ClientManager({ loadConfig: async () => config, ...managerOptions })
  await manager.initialize()
  return manager
}

/** A directory that is removed when it goes out of scope. */
export function temporaryDirectory(): { path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), "mcp-exec-test-"))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

/** The error that a promise must end in. */
// biome-ignore lint/suspicious/noExplicitAny: tests look at fields of several classes
export async function failureOf(promise: Promise<unknown>): Promise<any> {
  const value = await promise.then(
    (result) => ({ result }),
    (error) => ({ error }),
  )
  if ("error" in value) return value.error
  throw new Error(`expected a failure, got ${JSON.stringify(value.result)}`)
}

/** True while a process exists and is no zombie. */
export async function isRunning(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  const stat = await Bun.file(`/proc/${pid}/stat`)
    .text()
    .catch(() => "")
  return !/\) Z /.test(stat)
}
