// Scripts that are not simply a TypeScript file: code from stdin or the command line, other endings,
// and what cannot be run at all, said before a process is started for it.
import { stat } from "node:fs/promises"
import { McpExecError } from "../errors.ts"
import type { Script } from "../operations/exec.ts"
import { within } from "../platform/paths.ts"
import type { ExecArguments } from "./exec-options.ts"

export async function findOddScript(
  { script, eval: code }: Pick<ExecArguments, "script" | "eval">,
  cwd: string,
  readStdin: () => Promise<string>,
): Promise<Script> {
  if (code !== undefined) return { kind: "code", code, name: within(cwd, "[eval].ts") }
  if (script === "-") return { kind: "code", code: await readStdin(), name: within(cwd, "[stdin].ts") }
  if (script === undefined) {
    throw new McpExecError("E_USAGE", "exec needs a script", {
      hint: "Give it a file, - for stdin, or -e CODE: mcp-exec exec script.ts",
    })
  }
  const path = within(cwd, script)
  await checkScript(path, script)
  return { kind: "file", path }
}

async function checkScript(path: string, given: string): Promise<void> {
  if (given === "") {
    throw new McpExecError("E_USAGE", "The name of the script is empty", {
      hint: "Is a variable not set? exec takes a file: mcp-exec exec script.ts",
    })
  }
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
  if (!status.isFile()) {
    throw new McpExecError("E_USAGE", `${given} is a pipe or a device, not a file`, {
      hint: `Code that comes from a stream is read from stdin: mcp-exec exec - < ${given}`,
    })
  }
  if (/\.(json|md|txt|toml|ya?ml|sh|py|html|css)$/i.test(path)) {
    throw new McpExecError("E_USAGE", `${given} is not TypeScript or JavaScript`, {
      hint: "exec runs .ts, .js, .mts, .mjs, .tsx and .jsx files.",
    })
  }
}
