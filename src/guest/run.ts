// Runs one script in this process, which usually was started for it alone: `mcp-exec __run …`. The script
// finds its own arguments, `mcp-exec` as a module, and errors that speak of its code, not of ours.
import type { Skill } from "./skill.ts"
import { whenServed } from "./when-served.ts"

export interface ScriptModule {
  main?: unknown
  default?: unknown
}

type AnySkill = Skill<Record<string, unknown>, unknown>

export interface ScriptToRun {
  /** The script, or the name that its code goes by. */
  file: string
  args: readonly string[]
  /** A file with its code, which is removed. */
  codeFile?: string | undefined
  /** Its code. */
  text?: string | undefined
}

/** `argv` is `<file> args…`, or `--code <file with the code> <name it goes by> args…`; after `--when-served <pid of who starts it>`, as soon as there is a broker. */
export async function runScriptProcess(argv: readonly string[]): Promise<void> {
  const [first = "", second = "", third = ""] = argv
  if (first === "--when-served") {
    const isServed = await whenServed(process.env.MCP_EXEC_BROKER ?? "", Number(second))
    return isServed ? await runScriptProcess(argv.slice(2)) : process.exit(1)
  }
  if (first === "--code") return await runScript({ file: third, args: argv.slice(3), codeFile: second })
  return await runScript({ file: first, args: argv.slice(1) })
}

/** Runs it to its end, which is that of the process. */
export async function runScript({ file, args, codeFile, ...given }: ScriptToRun): Promise<void> {
  let { text } = given
  process.argv = [process.execPath, file, ...args]
  // Before the script can replace it. process.stdout would take milliseconds to load.
  // biome-ignore lint/suspicious/noConsole: this process speaks for the script
  const print = console.log
  let failed = false
  const fail = async (error: unknown, exitCode = 1) => {
    if (failed) return
    failed = true
    process.exitCode = exitCode
    // Nothing else may be left to keep the process until the report is out.
    setInterval(() => {}, 1 << 30)
    const { reportFailure } = await import("./report-failure.ts")
    await reportFailure(error, file, text)
    await exitWhenFlushed(exitCode)
  }
  let settled = false
  process.once("beforeExit", () => {
    if (!settled) void fail(new Error("the script waits for something that cannot happen any more"))
    // One more turn: Bun reports a rejection of the last one when it is too late to do anything about it.
    else setImmediate(() => {})
  })
  try {
    if (codeFile !== undefined && typeof Bun !== "undefined") text = await takeCode(codeFile)
    const importing = importScript(file, codeFile, text)
    // While the file is being read: nothing of the script has run yet.
    for (const event of ["uncaughtException", "unhandledRejection"]) {
      // A script that listens itself deals with it itself.
      process.on(event, (error) => (process.listenerCount(event) > 1 ? undefined : fail(error)))
    }
    const module = await importing
    const skill = skillIn(module)
    const main = skill === undefined ? await mainOf(module, file, text) : undefined
    if (skill !== undefined) {
      const { runSkill } = await import("./run-skill.ts")
      const outcome = await runSkill(skill, args, { cwd: process.cwd(), env: process.env })
      if ("refused" in outcome) return fail(outcome.refused, 2)
      if (outcome.text !== "") print(outcome.text)
    } else await main?.(...args)
    settled = true
    if (skill === undefined && main === undefined) return
  } catch (error) {
    return fail(error)
  }
  // The function was the run. Usually nothing is left and the process ends by itself, with its
  // output flushed; a forgotten timer or connection must not keep it.
  setTimeout(() => exitWhenFlushed(Number(process.exitCode ?? 0)), 50).unref()
}

/** By the mark that `skill()` leaves: a script's own runtime may hold a second copy of it. */
function skillIn(module: ScriptModule): AnySkill | undefined {
  const value = module.default
  const isSkill = typeof value === "object" && value !== null && Symbol.for("mcp-exec.skill") in value
  return isSkill ? (value as AnySkill) : undefined
}

/** What the run is: the function `main`, or the default one, unless the script calls it itself. */
async function mainOf(
  { main, default: other }: ScriptModule,
  file: string,
  text: string | undefined,
): Promise<((...args: string[]) => unknown) | undefined> {
  const found = main ?? other
  if (typeof found !== "function" || isClass(found)) return undefined
  const { startsItself } = await import("./starts-itself.ts")
  return (await startsItself(file, text)) ? undefined : (found as (...args: string[]) => unknown)
}

function isClass(value: unknown): boolean {
  return /^class\b/.test(Function.prototype.toString.call(value))
}

async function importScript(
  file: string,
  codeFile: string | undefined,
  text: string | undefined,
): Promise<ScriptModule> {
  if (typeof Bun === "undefined") return (await import("./import-elsewhere.ts")).importElsewhere(file, codeFile)
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
  return import(file).catch(async (error) => {
    // Only what could not be found has a specifier.
    if (error?.specifier === undefined) throw error
    return (await import("./map-servers.ts")).importWithServers(error, file, text)
  })
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
