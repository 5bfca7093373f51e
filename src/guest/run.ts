// Runs one script in this process, which was started for it alone: `mcp-exec __run …`. The script
// finds its own arguments, `mcp-exec` as a module, and errors that speak of its code, not of ours.

export interface ScriptModule {
  main?: unknown
  default?: unknown
}

/** `argv` is `<file> args…`, or `--code <file with the code> <name it goes by> args…`. */
export async function runScript(argv: readonly string[]): Promise<void> {
  const [file, args, code] =
    argv[0] === "--code" ? [argv[2] ?? "", argv.slice(3), argv[1]] : [argv[0] ?? "", argv.slice(1), undefined]
  process.argv = [process.execPath, file, ...args]
  let failed = false
  const fail = async (error: unknown) => {
    if (failed) return
    failed = true
    process.exitCode = 1
    // Nothing else may be left to keep the process until the report is out.
    setInterval(() => {}, 1 << 30)
    const { reportFailure } = await import("./report-failure.ts")
    await reportFailure(error, file)
    await exitWhenFlushed(1)
  }
  let settled = false
  process.once("beforeExit", () => {
    if (!settled) void fail(new Error("the script waits for something that cannot happen any more"))
    // One more turn: Bun reports a rejection of the last one when it is too late to do anything about it.
    else setImmediate(() => {})
  })
  try {
    const importing = importScript(file, code)
    // While the file is being read: nothing of the script has run yet.
    for (const event of ["uncaughtException", "unhandledRejection"]) {
      // A script that listens itself deals with it itself.
      process.on(event, (error) => (process.listenerCount(event) > 1 ? undefined : fail(error)))
    }
    const module = await importing
    const main = module.main ?? module.default
    if (typeof main === "function" && !isClass(main)) await main(...args)
    settled = true
    if (typeof main !== "function") return
  } catch (error) {
    return fail(error)
  }
  // The function was the run. Usually nothing is left and the process ends by itself, with its
  // output flushed; a forgotten timer or connection must not keep it.
  setTimeout(() => exitWhenFlushed(Number(process.exitCode ?? 0)), 50).unref()
}

function isClass(value: unknown): boolean {
  return /^class\b/.test(Function.prototype.toString.call(value))
}

async function importScript(file: string, code: string | undefined): Promise<ScriptModule> {
  if (typeof Bun === "undefined") return (await import("./import-elsewhere.ts")).importElsewhere(file, code)
  const text = code === undefined ? undefined : await takeCode(code)
  Bun.plugin({
    name: "mcp-exec",
    setup(build) {
      const guest = () => ({ exports: { ...require("./api.ts") }, loader: "object" }) as const
      build.module("mcp-exec", guest)
      // Wrappers bring their own copy for other runtimes; here there is one guest, and one ToolError.
      build.onLoad({ filter: /[\\/]servers[\\/]_runtime\.ts$/ }, guest)
      if (text !== undefined) build.module(file, () => ({ contents: `${text}\nexport {}`, loader: "ts" }))
    },
  })
  // Makes `import.meta.main` true in the script, as if it had been started directly.
  Object.assign(Bun, { main: file })
  return import(file)
}

async function takeCode(path: string): Promise<string> {
  const file = Bun.file(path)
  const text = await file.text()
  await file.delete()
  return text
}

/** `process.exit` drops what a pipe has not taken yet. */
async function exitWhenFlushed(code: number): Promise<never> {
  await Promise.all([process.stdout, process.stderr].map(flush))
  process.exit(code)
}

function flush(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    // Bun calls back for an empty write before earlier ones have left, but not for the end; in Node
    // it is the end of a standard stream that cannot be waited for.
    if (stream.destroyed) resolve()
    else if (typeof Bun !== "undefined") stream.end(() => resolve())
    else stream.write("", () => resolve())
  })
}
