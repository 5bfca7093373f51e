// The engines of this machine, and the environment of runs in their containers.
import { tmpdir } from "node:os"
import { join } from "node:path"

export { builtProgram } from "../fixtures/program.ts"

export type EngineName = "podman" | "docker"

/** The engines that answer here. None is an error in CI, and a loud remark elsewhere. */
export const engines: EngineName[] = (["podman", "docker"] as const).filter((name) => {
  try {
    return Bun.spawnSync([name, "info"], { stdout: "ignore", stderr: "ignore" }).exitCode === 0
  } catch {
    return false
  }
})
if (engines.length === 0) {
  const message = "SKIPPED: neither podman nor docker answers, nothing of the sandbox is tested here"
  if (process.env.CI === "true") throw new Error(message)
  console.warn(`\n*** ${message} ***\n`)
}

/** The environment of a sandboxed run: one cache for all tests, so that the engine is tried out once. */
export function sandboxEnv(): Record<string, string> {
  const { HOME = "/", DOCKER_HOST } = process.env
  const env = { HOME, MCP_EXEC_CACHE_DIR: join(tmpdir(), `mcp-exec-sandbox-tests-${process.getuid?.() ?? 0}`, "cache") }
  return DOCKER_HOST === undefined ? env : { ...env, DOCKER_HOST }
}
