// Why something cannot be run as a script, said before a process is started for it.
import { stat } from "node:fs/promises"
import { McpExecError } from "../errors.ts"

/** Throws when `path` is no file that can be imported. `given` is how the user spelled it. */
export async function checkScript(path: string, given: string): Promise<void> {
  const status = await stat(path).catch(() => undefined)
  if (status === undefined) {
    throw new McpExecError("E_SCRIPT_NOT_FOUND", `There is no script ${given}`, {
      hint: `Looked for ${path}. Code on the command line needs -e, code on stdin needs -.`,
    })
  }
  if (status.isDirectory()) {
    throw new McpExecError("E_SCRIPT_NOT_FOUND", `${given} is a directory, not a script`, {
      hint: `Name a file in it: mcp-exec exec ${given.replace(/\/+$/, "")}/script.ts`,
    })
  }
  if (/\.(json|md|txt|toml|ya?ml|sh|py|html|css)$/i.test(path)) {
    throw new McpExecError("E_USAGE", `${given} is not TypeScript or JavaScript`, {
      hint: "exec runs .ts, .js, .mts, .mjs, .tsx and .jsx files.",
    })
  }
}
