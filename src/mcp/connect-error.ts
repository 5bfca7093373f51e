// Why a server could not be reached, and what to do about it.
import type { Config } from "../config/schema.ts"
import { type ErrorCode, type ErrorOptions, McpExecError, ServerError } from "../errors.ts"
import { endOf, innermostReason, isUnreadable, lastWords, processDetails, seconds } from "./failures.ts"
import { httpStatusOf, spokenReason } from "./http-status.ts"
import type { StdioTransport } from "./stdio-transport.ts"
import type { Target } from "./transport.ts"

export interface ConnectContext {
  server: string
  config: Config
  target: Target | undefined
  process: StdioTransport | undefined
  timeoutMs: number
  /** Why we gave up ourselves, if we did. */
  abandoned: "timeout" | "closed" | undefined
}

/** The error of a connection that was not established. */
export async function connectError(error: unknown, context: ConnectContext): Promise<McpExecError> {
  if (error instanceof McpExecError) return error
  const { server, target, process, timeoutMs, abandoned } = context
  const fail = (code: ErrorCode, message: string, options: ErrorOptions = {}) =>
    new ServerError(code, server, message, { cause: error, details: processDetails(process), ...options })

  if (abandoned === "closed") return fail("E_SERVER_CLOSED", `Server '${server}' was closed while it was connecting`)
  if (abandoned === "timeout") {
    return fail("E_SERVER_TIMEOUT", `Server '${server}' did not answer within ${seconds(timeoutMs)}`, {
      hint: [`Raise \`timeout\` (milliseconds) of server '${server}' if it needs longer.`, lastWords(process)]
        .filter((part) => part !== undefined)
        .join(" "),
    })
  }
  if (target?.kind === "process" && process?.spawnFailure !== undefined)
    return spawnError(process, target, fail, context)
  const { ProtocolError, SdkError, SdkErrorCode } = await import("@modelcontextprotocol/client")
  // Before the exit: a server may well leave after it has refused, and the refusal says more.
  if (error instanceof ProtocolError) {
    return fail("E_SERVER_PROTOCOL", `Server '${server}' refused to connect: ${error.message} (${error.code})`, {
      hint: lastWords(process),
    })
  }
  if (process !== undefined && (process.exit !== undefined || process.givenUp !== undefined || isSystemError(error))) {
    const words = lastWords(process) ?? "It gave no reason. Run its command by hand to see more."
    const elsewhere = process.command.isOnOwnBun ? 'Without "runtime": "bun" it runs on Node.' : undefined
    return fail("E_SERVER_CONNECT", `Server '${server}' ${endOf(process)} before it answered`, {
      hint: elsewhere === undefined ? words : `${elsewhere} ${words}`,
    })
  }
  const status = await httpStatusOf(error)
  if (status !== undefined) return httpConnectError(status, error, fail, context)
  const { InvalidResult, ClientHttpUnexpectedContent } = SdkErrorCode
  const isForeign = error instanceof SdkError && [InvalidResult, ClientHttpUnexpectedContent].includes(error.code)
  if (isForeign || isUnreadable(error)) {
    return fail("E_SERVER_PROTOCOL", `Server '${server}' answered with something that is not MCP`, {
      hint: target?.kind === "remote" ? `Check \`url\` of server '${server}': ${target.shownUrl}` : undefined,
    })
  }
  if (target?.kind === "remote") {
    return fail(
      "E_SERVER_CONNECT",
      `Server '${server}' cannot be reached at ${target.shownUrl}: ${innermostReason(error)}`,
      {
        hint: `Is it running? Check \`url\` of server '${server}'.`,
      },
    )
  }
  return fail("E_SERVER_CONNECT", `Server '${server}' could not be connected: ${innermostReason(error)}`, {
    hint: lastWords(process),
  })
}

type Fail = (code: ErrorCode, message: string, options?: ErrorOptions) => ServerError

async function spawnError(
  { spawnFailure }: StdioTransport,
  { command }: Extract<Target, { kind: "process" }>,
  fail: Fail,
  { server, config }: ConnectContext,
): Promise<ServerError> {
  const { stat } = await import("node:fs/promises")
  const folder = await stat(command.cwd).catch(() => undefined)
  const inConfig = config.file === undefined ? "" : ` in ${config.file}`
  if (!folder?.isDirectory()) {
    return fail("E_SERVER_CONNECT", `The working directory of server '${server}' does not exist: ${command.cwd}`, {
      hint: `Create it, or correct \`cwd\` of server '${server}'${inConfig}.`,
    })
  }
  const [program] = command.command
  // Nothing of the error but its code: its message may repeat arguments or the environment.
  const { code = "unknown reason" } = spawnFailure as { code?: string }
  if (code === "ENOENT") {
    return fail("E_SERVER_CONNECT", `The command of server '${server}' was not found: ${program}`, {
      hint: `Install it, or correct \`command\` of server '${server}'${inConfig}.`,
    })
  }
  return fail("E_SERVER_CONNECT", `The command of server '${server}' cannot be run: ${program} (${code})`, {
    hint: code === "EACCES" ? `Make it executable: chmod +x ${program}` : undefined,
  })
}

function httpConnectError(status: number, error: unknown, fail: Fail, { server, target }: ConnectContext): ServerError {
  const where = target?.kind === "remote" ? ` at ${target.shownUrl}` : ""
  const message = `Server '${server}'${where} answered with HTTP ${status}${spokenReason(error)}`
  const details = { status }
  if (status === 401 || status === 403) {
    const hint = `Check the credentials in \`headers\` of server '${server}'.`
    return fail("E_SERVER_AUTH", message, { hint, details })
  }
  const redirects = status >= 300 && status < 400 ? "It redirects to another address, which is not followed. " : ""
  return fail("E_SERVER_CONNECT", message, { hint: `${redirects}Check \`url\` of server '${server}'.`, details })
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && "code" in error && "errno" in error
}
