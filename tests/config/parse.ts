import { parseConfig } from "../../src/config/load.ts"
import type { ProblemDetail } from "../../src/config/problems.ts"
import type { Config } from "../../src/config/schema.ts"
import { ConfigError } from "../../src/errors.ts"

/** Where the configurations of these tests pretend to come from. */
export const file = "/project/mcp_config.json"

/** A configuration from a value, or from text as it stands in a file. */
export function parse(given: unknown): Config {
  return parseConfig(typeof given === "string" ? given : JSON.stringify(given, null, 2), { file })
}

/** A configuration of one server called "one". */
export function parseServer(server: unknown) {
  return parse({ mcpServers: { one: server } }).servers.one
}

/** The error that a configuration must end in. */
export function errorOf(given: unknown): ConfigError {
  try {
    parse(given)
  } catch (error) {
    if (error instanceof ConfigError) return error
    throw error
  }
  throw new Error("the configuration is valid")
}

/** The problems that a configuration must have, as `path: message`. */
export function problemsOf(given: unknown): string[] {
  return (errorOf(given).details as ProblemDetail[]).map(({ path, message }) => `${path}: ${message}`)
}
