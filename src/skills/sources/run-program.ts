// Programs of the user's that fetch sources: git and npm.
import { execFile } from "node:child_process"
import { McpExecError } from "../../errors.ts"
import { failure } from "./source.ts"

export type Environment = Record<string, string | undefined>

const patienceMs = 120_000

/** Runs a program to its end. Rejects with what it said when it fails. */
export function runProgram(program: string, args: string[], cwd: string, env: Environment): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const options = {
    cwd,
    env,
    timeout: patienceMs,
    maxBuffer: 16 << 20,
    shell: process.platform === "win32" && program === "npm",
  }
  execFile(program, args, options, (error, _, stderr) => {
    if (error === null) resolve()
    else if (error.code === "ENOENT") {
      reject(
        new McpExecError("E_USAGE", `${program} is needed for this, and is not in PATH`, {
          hint: `Install ${program}.`,
        }),
      )
    } else {
      reject(failure(`${program} failed: ${reasonIn(stderr) ?? error.message}`, error))
    }
  })
  return promise
}

/** The line that says why; programs print much else. */
function reasonIn(stderr: string): string | undefined {
  const lines = stderr.split("\n").map((line) => line.replace(/^npm (error|ERR!)\s*(code \S+$)?/, "").trim())
  const known = lines.find((line) => /^(fatal|error):|not found|^\d{3} /i.test(line))
  return known ?? lines.find((line) => line !== "")
}
