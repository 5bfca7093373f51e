// Every error a user can meet: a stable code, what happened, and what to do next.
// Imported by all folders, also by the guest, so it must stay free of imports.

/** Each code and the exit code of a command that ends with it. Codes are never renamed or reused. */
export const exitCodeOf = {
  E_USAGE: 2,
  E_CONFIG_NOT_FOUND: 3,
  E_CONFIG_SYNTAX: 3,
  E_CONFIG_INVALID: 3,
  E_CONFIG_VARIABLE: 3,
  E_SERVER_UNKNOWN: 2,
  E_SERVER_DISABLED: 3,
  E_SERVER_CONNECT: 4,
  E_SERVER_TIMEOUT: 4,
  E_SERVER_AUTH: 4,
  E_SERVER_CLOSED: 4,
  E_SERVER_PROTOCOL: 4,
  E_TOOL_UNKNOWN: 2,
  E_TOOL_ARGUMENTS: 2,
  E_TOOL_DENIED: 5,
  E_TOOL_FAILED: 1,
  E_TOOL_TIMEOUT: 124,
  E_TOOL_CANCELLED: 1,
  E_SCRIPT_NOT_FOUND: 2,
  E_SCRIPT_SYNTAX: 1,
  E_SCRIPT_FAILED: 1,
  E_SCRIPT_TIMEOUT: 124,
  E_SCRIPT_MEMORY: 137,
  E_SCRIPT_TYPES: 1,
  E_SKILL_UNKNOWN: 2,
  E_SKILL_CHANGED: 5,
  E_SANDBOX: 5,
  E_LIMIT: 5,
  E_BROKER: 1,
  E_STATE: 1,
  E_INTERNAL: 1,
} as const

export type ErrorCode = keyof typeof exitCodeOf

export interface ErrorOptions {
  hint?: string | undefined
  details?: unknown
  cause?: unknown
}

/** What crosses a process or a surface: the part of an error that a model or a program may see. */
export interface ErrorDescription {
  code: ErrorCode
  message: string
  hint?: string
  details?: unknown
  server?: string
  tool?: string
}

export class McpExecError extends Error {
  override readonly name: string = "McpExecError"
  readonly code: ErrorCode
  /** What the reader should do next. */
  readonly hint: string | undefined
  /** Structured, for JSON output. */
  readonly details: unknown

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.hint = options.hint
    this.details = options.details
  }
}

/** The configuration file is missing, unreadable or wrong. */
export class ConfigError extends McpExecError {
  override readonly name = "ConfigError"
}

/** A server could not be reached, or was lost. */
export class ServerError extends McpExecError {
  override readonly name = "ServerError"
  readonly server: string

  constructor(code: ErrorCode, server: string, message: string, options: ErrorOptions = {}) {
    super(code, message, options)
    this.server = server
  }
}

/** A call of a tool did not give a result. In a script every failed call is one of these. */
export class ToolError extends McpExecError {
  override readonly name = "ToolError"
  readonly server: string
  readonly tool: string

  constructor(code: ErrorCode, server: string, tool: string, message: string, options: ErrorOptions = {}) {
    super(code, message, options)
    this.server = server
    this.tool = tool
  }
}

/** Turns anything thrown into the one shape that is printed, sent and logged. */
export function describeError(error: unknown): ErrorDescription {
  if (!isMcpExecError(error)) {
    return { code: "E_INTERNAL", message: error instanceof Error ? error.message : String(error) }
  }
  const { code, message, hint, details, server, tool } = error
  return {
    code,
    message,
    ...(hint !== undefined && { hint }),
    ...(details !== undefined && { details }),
    ...(server !== undefined && { server }),
    ...(tool !== undefined && { tool }),
  }
}

/** The exit code of a command that ended with this error. */
export function exitCodeFor(error: unknown): number {
  return exitCodeOf[isMcpExecError(error) ? error.code : "E_INTERNAL"]
}

/** By its code, not its class: a bundle, or a script's own runtime, may hold a second copy of the classes. */
export function isMcpExecError(error: unknown): error is McpExecError & { server?: string; tool?: string } {
  return error instanceof Error && "code" in error && typeof error.code === "string" && error.code in exitCodeOf
}
