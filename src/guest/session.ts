// Evaluates snippets one after the other in this process, which was started for one session: what one has
// declared, the next can use. Each comes as a line on stdin, already plain JavaScript; how it ended follows
// its output, behind a mark that only the other side knows.
import { describeError, isMcpExecError } from "../errors.ts"
import { createLineReader } from "../lines.ts"
import { asText } from "./as-text.ts"

interface Snippet {
  /** What sets the report apart from everything the snippet prints. */
  mark: string
  code: string
  /** Whether its last value is to be printed. */
  hasValue: boolean
}

type SnippetReport = { ok: true } | { ok: false; error: { code: string; message: string; hint?: string } }

// Before a snippet can replace it.
// biome-ignore lint/suspicious/noConsole: this process speaks for the snippets
const print = console.log

/** `argv` is `--code <file> <name>`: the file is empty, and the name says where relative imports start. */
export async function runSession(argv: readonly string[]): Promise<void> {
  const { rmSync } = process.getBuiltinModule("node:fs")
  const { dirname } = process.getBuiltinModule("node:path")
  rmSync(argv[1] ?? "", { force: true })
  const importFrom = importer(dirname(argv[2] ?? ""))
  Object.defineProperty(globalThis, "__mcpExecImport", { value: importFrom })
  // Modules have it, and models use it.
  const { createRequire } = process.getBuiltinModule("node:module")
  Object.defineProperty(globalThis, "require", { value: createRequire(argv[2] ?? ""), configurable: true })
  // What a snippet started and nobody awaits must not take the variables with it.
  for (const event of ["uncaughtException", "unhandledRejection"]) {
    process.on(event, (error) => process.stderr.write(`${asText(summary(error).message)}\n`))
  }
  let last: Promise<void> = Promise.resolve()
  const reader = createLineReader((line) => {
    last = last.then(() => evaluate(JSON.parse(line)))
  })
  process.stdin.on("data", (chunk: Uint8Array) => reader.push(chunk))
  process.stdin.on("end", () => void last.then(() => process.exit(0)))
}

async function evaluate({ mark, code, hasValue }: Snippet): Promise<void> {
  let report: SnippetReport = { ok: true }
  try {
    // In the global scope, where declarations stay.
    // biome-ignore lint/security/noGlobalEval: evaluating is what this process is for
    const value = unwrap(await globalThis.eval(code))
    if (hasValue && value !== undefined) print(asText(value))
  } catch (error) {
    report = { ok: false, error: summary(error) }
  }
  // Behind everything that the snippet has written to these streams.
  await Promise.all([write(process.stdout, `${mark}${JSON.stringify(report)}\n`), write(process.stderr, `${mark}\n`)])
}

/** The value of the last expression comes in an object of its own; that of a `return` as it is. */
function unwrap(result: unknown): unknown {
  const isWrapped = typeof result === "object" && result !== null && Object.getPrototypeOf(result) === null
  return isWrapped && "value" in result ? result.value : result
}

function summary(error: unknown): { code: string; message: string; hint?: string } {
  if (isMcpExecError(error)) {
    const { code, message, hint } = describeError(error)
    return { code, message, ...(hint !== undefined && { hint }) }
  }
  const message = error instanceof Error ? `${error.name}: ${error.message}` : asText(error)
  return { code: "E_SCRIPT_FAILED", message }
}

function importer(folder: string): (specifier: string) => Promise<unknown> {
  Bun.plugin({
    name: "mcp-exec",
    setup(build) {
      const guest = () => ({ exports: { ...require("./api.ts") }, loader: "object" }) as const
      build.module("mcp-exec", guest)
      build.onLoad({ filter: /[\\/]servers[\\/]_runtime\.ts$/ }, guest)
    },
  })
  return async (specifier) => {
    const name = String(specifier)
    if (name === "mcp-exec") return await import("mcp-exec" as string)
    if (!name.startsWith("#servers/")) return await import(Bun.resolveSync(name, folder))
    const { findServers } = await import("./map-servers.ts")
    const servers = findServers([folder, process.env.MCP_EXEC_WORKSPACE ?? ""]) ?? "servers"
    return await import(`${servers}/${name.slice("#servers/".length)}/index.ts`)
  }
}

function write(stream: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((resolve) => stream.write(text, () => resolve()))
}
