// Who may ask over HTTP: no page of another site (Origin), nobody who was led here by a name that is not
// ours (Host), and off this machine only who knows the token.
import { createHash, timingSafeEqual } from "node:crypto"
import { McpExecError } from "../errors.ts"

export interface Access {
  /** What we listen on. */
  host: string
  token: string | undefined
  sdk: Pick<
    typeof import("@modelcontextprotocol/server"),
    | "hostHeaderValidationResponse"
    | "originValidationResponse"
    | "localhostAllowedHostnames"
    | "localhostAllowedOrigins"
  >
}

/** The answer to a request that must not be served; undefined when it may. */
export function refuse(request: Request, { host, token, sdk }: Access): Response | undefined {
  const own = host.includes(":") ? `[${host}]` : host
  // On all addresses any name may be right; there the token decides.
  const isEverywhere = host === "0.0.0.0" || host === "::"
  const wrongHost = isEverywhere
    ? undefined
    : sdk.hostHeaderValidationResponse(request, [...sdk.localhostAllowedHostnames(), own])
  return (
    wrongHost ??
    sdk.originValidationResponse(request, [...sdk.localhostAllowedOrigins(), own]) ??
    (token === undefined || hasToken(request, token) ? undefined : unauthorized())
  )
}

/** Throws when others could reach us without a token, or with one that can be guessed. */
export function checkToken({ host, token }: { host: string; token?: string | undefined }): void {
  if (token === undefined ? isLoopback(host) : /^[\x21-\x7e]{16,}$/.test(token)) return
  const problem = token === undefined ? "lets other machines in, and needs a token" : "needs a better token"
  throw new McpExecError("E_USAGE", `Serving on ${host} ${problem}`, {
    hint: "A token has at least 16 characters and no blanks, for example the output of: openssl rand -hex 32. On the command line it is given with --token-file FILE or MCP_EXEC_SERVE_TOKEN.",
  })
}

/** True for addresses that only this machine can reach. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host)
}

function hasToken(request: Request, token: string): boolean {
  const [, given = ""] = /^Bearer +(\S+) *$/i.exec(request.headers.get("authorization") ?? "") ?? []
  // Of equal length, so that the time it takes says nothing.
  return timingSafeEqual(digest(given), digest(token))
}

function digest(text: string): Uint8Array {
  return createHash("sha256").update(text).digest()
}

function unauthorized(): Response {
  const error = { code: -32001, message: "Unauthorized: send the server's token as Authorization: Bearer" }
  return Response.json(
    { jsonrpc: "2.0", error, id: null },
    { status: 401, headers: { "WWW-Authenticate": 'Bearer realm="mcp-exec"' } },
  )
}
