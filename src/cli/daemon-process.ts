// The hidden command that is a daemon. It has no terminal and nobody to talk to but its socket and its log.

/** Serves until it is no longer needed; the words are the configuration file, the address, and servers to warm. */
export async function runDaemon([file = "", address = "", ...warm]: string[]): Promise<number> {
  const { serveDaemon } = await import("../operations/daemon/serve.ts")
  const ending = new AbortController()
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => ending.abort())
  const onStray = (report: (error: unknown) => void) => {
    for (const event of ["uncaughtException", "unhandledRejection"]) process.on(event, report)
  }
  await serveDaemon({ file, address, warm, env: process.env, signal: ending.signal, onStray })
  return 0
}
