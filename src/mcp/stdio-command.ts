import type { StdioServerConfig } from "../config/schema.ts"
import { absolutePath } from "../platform/absolute-path.ts"
import { serverEnvironment } from "./environment.ts"
import type { StdioCommand } from "./stdio-transport.ts"

/** How the process of a server is started whose variables have been filled in. */
export function processOf(
  { command, args, cwd, env: own }: StdioServerConfig,
  directory: string,
  env: Record<string, string | undefined>,
): StdioCommand {
  return {
    command: [command, ...args],
    cwd: cwd === undefined ? directory : absolutePath(cwd, directory),
    env: serverEnvironment(env, own),
  }
}
