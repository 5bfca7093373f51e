import type { Command } from "@commander-js/extra-typings"
import { McpExecError } from "../../errors.ts"
import { addGlobalOptions, readGlobals } from "../globals.ts"
import type { CliIo } from "../io.ts"
import { createOutput, type Output } from "../output.ts"
import { workingDirectory } from "../working-directory.ts"

const tokenVariable = "MCP_EXEC_SERVE_TOKEN"

interface Address {
  host: string
  port: number
}

/** `mcp-exec serve`: everything as an MCP server, over stdio or HTTP. */
export function registerServe(program: Command, io: CliIo): void {
  const command = program
    .command("serve")
    .summary("be an MCP server: find tools, run scripts")
    .description("Serves four tools (search, execute, generate, discover) over stdio, or over HTTP at /mcp.")
    .option("--http <[host:]port>", "serve streamable HTTP here; the host is 127.0.0.1 unless given")
    .option("--token-file <file>", `file with the token that clients must send (or ${tokenVariable})`)
    .action(async (options) => {
      const globals = readGlobals(program)
      const output = createOutput(io, globals)
      const cwd = await workingDirectory(io.cwd, globals.cwd)
      // Scripts see MCP_EXEC_*: the token is not theirs.
      const { [tokenVariable]: variable, ...env } = io.env
      const address = options.http === undefined ? undefined : parseAddress(options.http)
      const token = options.tokenFile === undefined ? variable : await readTokenFile(options.tokenFile, cwd)
      const { Core } = await import("../../server/core.ts")
      const core = new Core({ cwd, env, configFlag: globals.config, log: output.log })
      const interruption = new AbortController()
      const stopListening = io.onSignal((signal) => {
        io.exitCode = signal === "SIGINT" ? 130 : 143
        interruption.abort()
      })
      try {
        if (address !== undefined) await overHttp(core, { ...address, token }, interruption.signal, output)
        else {
          const { serveStdio } = await import("../../server/stdio.ts")
          await serveStdio(core, { input: process.stdin, output: process.stdout }, interruption.signal)
        }
      } finally {
        await core.close()
        stopListening()
      }
    })
  addGlobalOptions(command)
  command.addHelpText(
    "after",
    `
Off this machine (any host but localhost) a token is required; on a machine that others use, too, give one in any
case, since whoever connects runs code as you. Limits are in the configuration: serve.maxOutputTokens,
serve.maxRuns, serve.maxWaiting, serve.callsPerMinute, sandbox.timeout and sandbox.maxTimeout.

Examples:
  $ claude mcp add tools -- mcp-exec serve
  $ mcp-exec serve --http 8080
  $ mcp-exec serve --http 0.0.0.0:8080 --token-file ~/.mcp-exec-token`,
  )
}

type Core = import("../../server/core.ts").Core

async function overHttp(
  core: Core,
  options: Address & { token: string | undefined },
  signal: AbortSignal,
  output: Output,
): Promise<void> {
  const { serveHttp } = await import("../../server/http.ts")
  const server = await serveHttp(core, options)
  output.notice(`Serving ${server.url}\n`)
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener("abort", () => resolve(), { once: true })
  })
  await server.close()
}

function parseAddress(text: string): Address {
  const [, host = "127.0.0.1", digits = ""] = /^(?:\[?([^[\]]*?)\]?:)?(\d{1,5})$/.exec(text) ?? []
  const port = Number(digits)
  if (digits !== "" && port <= 65_535 && host !== "") return { host, port }
  throw new McpExecError("E_USAGE", `--http takes a port, or host:port, not "${text}"`, {
    hint: "For example --http 8080 or --http 0.0.0.0:8080",
  })
}

async function readTokenFile(file: string, cwd: string): Promise<string> {
  const [{ readFile, stat }, { resolve }] = await Promise.all([import("node:fs/promises"), import("node:path")])
  const path = resolve(cwd, file)
  const status = await stat(path).catch(() => undefined)
  if (status === undefined) {
    throw new McpExecError("E_USAGE", `There is no token file ${path}`, {
      hint: "Make one: openssl rand -hex 32 > FILE; chmod 600 FILE",
    })
  }
  if (process.platform !== "win32" && (status.mode & 0o077) !== 0) {
    throw new McpExecError("E_USAGE", `Others can read the token file ${path}`, { hint: `Run: chmod 600 ${path}` })
  }
  return (await readFile(path, "utf8")).trim()
}
