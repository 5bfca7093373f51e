// How every script of this folder reports: one line for each thing that it has tried.

/** Tries something. `ESCAPED` is what the test looks for. */
export async function attempt(name: string, work: () => unknown): Promise<void> {
  try {
    console.log(`ESCAPED ${name}: ${String(await work()).slice(0, 200)}`)
  } catch (error) {
    console.log(`blocked ${name}: ${(error as { code?: string }).code ?? error}`)
  }
}

/** Like `attempt`, for what fails by never coming back. */
export async function attemptFor(milliseconds: number, name: string, work: () => Promise<unknown>): Promise<void> {
  const late = Bun.sleep(milliseconds).then(() => Promise.reject(new Error("no answer")))
  await attempt(name, () => Promise.race([work(), late]))
}
