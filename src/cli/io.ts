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
  return new ProcessIo()
}

const terminals: CliIo["isTTY"] = {
  get stdin() {
    return isTerminal(0)
  },
  get stdout() {
    return mayPrintToTerminal() && isTerminal(1)
  },
  get stderr() {
    return mayPrintToTerminal() && isTerminal(2)
  },
}

/** Bun has looked already, and shows colours as soon as one of the two is a terminal. To ask node:tty takes milliseconds. */
function mayPrintToTerminal(): boolean {
  return typeof Bun === "undefined" || Bun.enableANSIColors || process.env.NO_COLOR !== undefined
}

function isTerminal(stream: number): boolean {
  return process.getBuiltinModule("node:tty").isatty(stream)
}

/** A class, because its methods exist once: making all these closures costs a script's start. */
class ProcessIo implements CliIo {
  exitCode = 0
  private written: Map<NodeJS.WriteStream, Promise<unknown>> | undefined

  get env(): Record<string, string | undefined> {
    return process.env
  }

  get cwd(): string {
    return process.cwd()
  }

  get isTTY(): CliIo["isTTY"] {
    return terminals
  }

  get columns(): number | undefined {
    // Some terminals say 0 when they do not know.
    return process.stdout.columns || undefined
  }

  stdout(text: string): void {
    this.write(process.stdout, text)
  }

  stderr(text: string): void {
    this.write(process.stderr, text)
  }

  async stdin(): Promise<string> {
    const chunks: Uint8Array[] = []
    for await (const chunk of process.stdin) chunks.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk)
    return Buffer.concat(chunks).toString("utf8")
  }

  conversation(): ReturnType<CliIo["conversation"]> {
    return { input: process.stdin, output: process.stderr }
  }

  onSignal(listener: (signal: Signal) => void): () => void {
    const onInterrupt = () => listener("SIGINT")
    const onTerminate = () => listener("SIGTERM")
    // Once: whoever presses Ctrl-C twice does not want to wait for our cleanup.
    process.once("SIGINT", onInterrupt)
    process.once("SIGTERM", onTerminate)
    return () => {
      process.off("SIGINT", onInterrupt)
      process.off("SIGTERM", onTerminate)
    }
  }

  async flush(): Promise<void> {
    // The last write's own callback: Bun calls that of a later, empty one at once.
    if (this.written !== undefined) await Promise.all(this.written.values())
  }

  private write(stream: NodeJS.WriteStream, text: string): void {
    this.written ??= new Map()
    // A reader that has seen enough (`| head`) is no error of ours.
    if (!this.written.has(stream)) stream.on("error", () => {})
    this.written.set(stream, new Promise((resolve) => stream.write(text, resolve)))
  }
}
