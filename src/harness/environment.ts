// What a script sees of the user's environment: an allow-list. Secrets of the shell and of servers
// stay where they are.
import { McpExecError } from "../errors.ts"

const always = ["PATH", "HOME", "LANG", "TERM", "TZ", "MCP_EXEC_*"]
// Without these no program starts on Windows.
const windows = ["SystemRoot", "SystemDrive", "TEMP", "TMP", "USERPROFILE", "PATHEXT", "COMSPEC", "WINDIR"]

/** The variables that `patterns` (names, or globs such as `AWS_*`) and the fixed list let through. */
export function scriptEnvironment(
  env: Record<string, string | undefined>,
  patterns: readonly string[],
  platform: string = process.platform,
): Record<string, string> {
  const seen: Record<string, string> = {}
  for (const pattern of [...always, ...(platform === "win32" ? windows : []), ...patterns]) {
    for (const name of pattern.includes("*") ? namesLike(pattern, env) : [pattern]) {
      const value = env[name]
      if (value !== undefined) seen[name] = value
    }
  }
  return seen
}

/** Adds assignments: `NAME` passes the caller's variable on, `NAME=VALUE` sets it. */
export function addVariables(
  variables: Record<string, string>,
  assignments: readonly string[],
  env: Record<string, string | undefined>,
): void {
  for (const assignment of assignments) {
    const at = assignment.indexOf("=")
    const name = at < 0 ? assignment : assignment.slice(0, at)
    const value = at < 0 ? env[name] : assignment.slice(at + 1)
    if (name === "" || value === undefined) {
      throw new McpExecError("E_USAGE", `--env ${assignment}: there is no such variable in the environment`, {
        hint: `Set it with --env ${name || "NAME"}=VALUE`,
      })
    }
    variables[name] = value
  }
}

/** On the way to every script: a loop, because the first callback costs more than all the names. */
function namesLike(pattern: string, env: Record<string, string | undefined>): string[] {
  const start = pattern.slice(0, pattern.indexOf("*"))
  const expression = pattern.length > start.length + 1 ? globExpression(pattern) : undefined
  const names: string[] = []
  for (const name in env) {
    if (name.startsWith(start) && (expression?.test(name) ?? true)) names.push(name)
  }
  return names
}

function globExpression(pattern: string): RegExp {
  const parts = pattern.split("*").map((text) => text.replace(/[\\^$.|?+()[\]{}]/g, "\\$&"))
  return new RegExp(`^${parts.join(".*")}$`)
}
