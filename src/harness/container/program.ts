// The program that runs in containers: where it is outside, where inside, and what its image is called.
import { existsSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { McpExecError } from "../../errors.ts"
import { isCompiled } from "../../platform/self.ts"
import { version } from "../../version.ts"
import type { Environment } from "./engine-command.ts"

export const imageRepository = "localhost/mcp-exec-sandbox"
/** Where the program is inside. */
export const programInside = "/bin/mcp-exec"

export const machine = process.arch === "arm64" ? "arm64" : "x64"

/** The Linux program that is to run in containers: ours, or the one beside ours where ours is not for Linux. */
export function sandboxProgram(env: Environment): string {
  if (env.MCP_EXEC_SANDBOX_PROGRAM) return resolve(env.MCP_EXEC_SANDBOX_PROGRAM)
  if (isCompiled && process.platform === "linux") return process.execPath
  const beside = join(dirname(process.execPath), `mcp-exec-linux-${machine}`)
  if (isCompiled && existsSync(beside)) return beside
  throw new McpExecError("E_SANDBOX", "There is no Linux program of mcp-exec that could run in a container", {
    hint: isCompiled
      ? `Put the Linux build of version ${version} at ${beside}, or name it in MCP_EXEC_SANDBOX_PROGRAM.`
      : "From source: build the program, and run that or name it in MCP_EXEC_SANDBOX_PROGRAM.",
  })
}
