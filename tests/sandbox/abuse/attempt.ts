// How every script of this folder reports: one line for each thing that it has tried.
import { existsSync } from "node:fs"
import { workspace } from "mcp-exec"

/** Tries something. `ESCAPED` is what the test looks for, and whatever was got hold of. */
export async function attempt(name: string, work: () => unknown): Promise<void> {
  try {
    console.log(`ESCAPED ${name}: ${String(await work()).slice(0, 50_000)}`)
  } catch (error) {
    console.log(`blocked ${name}: ${(error as { code?: string }).code ?? error}`)
  }
}

/** Like `attempt`, for what fails by never coming back. */
export async function attemptFor(milliseconds: number, name: string, work: () => Promise<unknown>): Promise<void> {
  const late = Bun.sleep(milliseconds).then(() => Promise.reject(new Error("no answer")))
  await attempt(name, () => Promise.race([work(), late]))
}

/** Waits until the test has looked at this process from the outside. */
export async function beLookedAt(): Promise<void> {
  console.log("looking")
  while (!existsSync(`${workspace}/seen`)) await Bun.sleep(20)
}
