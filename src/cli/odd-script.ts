// Scripts that are not simply a TypeScript file: skills, code from stdin or the command line, other
// endings, and what cannot be run at all, said before a process is started for it.
//
// As in a shell, a bare word names a skill when there is one, and `./word` is always the file.
import type { Stats } from "node:fs"
import { stat } from "node:fs/promises"
import { McpExecError } from "../errors.ts"
import type { Script } from "../operations/exec.ts"
import { checkApproved, resolveSkill, skillsHint } from "../operations/skills/resolve-skill.ts"
import { within } from "../platform/paths.ts"
import type { ExecArguments } from "./exec-options.ts"

/** Where scripts and skills are looked for. */
export interface Whereabouts {
  cwd: string
  env: Record<string, string | undefined>
  /** The value of --config. */
  flag: string | undefined
}

export async function findOddScript(
  { script, eval: code }: Pick<ExecArguments, "script" | "eval">,
  where: Whereabouts,
  readStdin: () => Promise<string>,
): Promise<Script> {
  const { cwd } = where
  if (code !== undefined) return { kind: "code", code, name: within(cwd, "[eval].ts") }
  if (script === "-") return { kind: "code", code: await readStdin(), name: within(cwd, "[stdin].ts") }
  if (script === undefined) {
    throw new McpExecError("E_USAGE", "exec needs a script", {
      hint: "Give it a skill, a file, - for stdin, or -e CODE: mcp-exec exec script.ts",
    })
  }
  return { kind: "file", path: await findFile(script, where) }
}

async function findFile(script: string, where: Whereabouts): Promise<string> {
  if (script === "") {
    throw new McpExecError("E_USAGE", "The name of the script is empty", {
      hint: "Is a variable not set? exec takes a file: mcp-exec exec script.ts",
    })
  }
  const isWord = !/[\\/]/.test(script)
  const isFileName = /\.[cm]?[jt]sx?$/.test(script)
  if (isWord && !isFileName) {
    const skill = await resolveSkill(where, script)
    if (skill !== undefined) return skill
  }
  const path = within(where.cwd, script)
  const status = await stat(path).catch(() => undefined)
  if (status === undefined && isWord && isFileName) {
    const skill = await resolveSkill(where, script)
    if (skill !== undefined) return skill
  }
  if (status === undefined) throw await notFound(script, path, where)
  checkScript(status, path, script)
  if (path.includes("skills")) await checkApproved(where, path)
  return path
}

async function notFound(given: string, path: string, where: Whereabouts): Promise<McpExecError> {
  const looked = `Looked for ${path}. Code on the command line needs -e, code on stdin needs -.`
  const skills = /[\\/]/.test(given) ? "" : await skillsHint(where, given)
  return new McpExecError("E_SCRIPT_NOT_FOUND", `There is no script ${skills === "" ? "" : "or skill "}${given}`, {
    hint: skills === "" ? looked : `${skills}\n${looked}`,
  })
}

function checkScript(status: Stats, path: string, given: string): void {
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
