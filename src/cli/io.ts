// Everything the command line touches of the process it runs in. Commands get it as a value, so
// that a test can run them without a process of their own.

export type Signal = "SIGINT" | "SIGTERM"

export interface CliIo {
  stdout(text: string): void
  stderr(text: string): void
  /** All of standard input. */
  stdin(): Promise<string>
  readonly isTTY: { readonly stdin: boolean; readonly stdout: boolean; readonly stderr: boolean }
  /** Width of the terminal that stdout is; undefined for a pipe. */
  readonly columns: number | undefined
  readonly env: Record<string, string | undefined>
  readonly cwd: string
  /** The streams of a conversation with the user. */
  conversation(): { input: NodeJS.ReadableStream; output: NodeJS.WritableStream }
  /** Calls back when the user or the system wants an end. Returns what undoes that. */
  onSignal(listener: (signal: Signal) => void): () => void
  /** Resolves when everything written has left the process. */
  flush(): Promise<void>
  /** What the program will end with; a command that did not simply succeed sets it. */
  exitCode: number
}

/** The real thing. */
export function processIo(): CliIo {
  const written = new Map<NodeJS.WriteStream, Promise<unknown>>()
  const write = (stream: NodeJS.WriteStream, text: string) => {
    // A reader that has seen enough (`| head`) is no error of ours.
    if (!written.has(stream)) stream.on("error", () => {})
    written.set(stream, new Promise((resolve) => stream.write(text, resolve)))
  }
  const isTerminal = (fd: number) => process.getBuiltinModule("node:tty").isatty(fd)
  return {
    stdout: (text) => write(process.stdout, text),
    stderr: (text) => write(process.stderr, text),
    async stdin() {
      const chunks: Uint8Array[] = []
      for await (const chunk of process.stdin) chunks.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk)
      return Buffer.concat(chunks).toString("utf8")
    },
    isTTY: {
      get stdin() {
        return isTerminal(0)
      },
      get stdout() {
        return isTerminal(1)
      },
      get stderr() {
        return isTerminal(2)
      },
    },
    get columns() {
      // Some terminals say 0 when they do not know.
      return process.stdout.columns || undefined
    },
    env: process.env,
    get cwd() {
      return process.cwd()
    },
    conversation: () => ({ input: process.stdin, output: process.stderr }),
    onSignal(listener) {
      const onInterrupt = () => listener("SIGINT")
      const onTerminate = () => listener("SIGTERM")
      // Once: whoever presses Ctrl-C twice does not want to wait for our cleanup.
      process.once("SIGINT", onInterrupt)
      process.once("SIGTERM", onTerminate)
      return () => {
        process.off("SIGINT", onInterrupt)
        process.off("SIGTERM", onTerminate)
      }
    },
    async flush() {
      // The last write's own callback: Bun calls that of a later, empty one at once.
      await Promise.all(written.values())
    },
    exitCode: 0,
  }
}
