// What doctor finds on this machine: container engines, the terminal, the program itself.
import { mkdir, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { askEngine, type EngineProgram } from "../harness/container/engine-command.ts"
import { isCompiled } from "../platform/self.ts"
import { version } from "../version.ts"
import type { Check, Terminal } from "./doctor-check.ts"

type Environment = Record<string, string | undefined>

// A stopped virtual machine behind `docker` can take many seconds to say so.
const engineLimitMs = 5000

/** The container engines: none is needed until a script is to run in the sandbox. */
export async function checkEngines(env: Environment): Promise<Check[]> {
  const checks = await Promise.all([
    checkEngine("podman", ["info", "--format", "{{.Version.Version}}"], env),
    checkEngine("docker", ["info", "--format", "{{.ServerVersion}}"], env),
  ])
  const found = checks.filter((check) => check !== undefined)
  if (found.length > 0) return found
  return [
    {
      area: "container",
      name: "engine",
      status: "note",
      message: "neither podman nor docker is on the PATH: scripts run directly, the sandbox is not to be had",
      hint: "Only sandboxed runs need one: podman or docker.",
    },
  ]
}

async function checkEngine(name: EngineProgram["name"], args: string[], env: Environment): Promise<Check | undefined> {
  const start = performance.now()
  const answer = await askEngine({ name, path: name }, args, env, engineLimitMs)
  // There is no such program.
  if (answer.code === null && !answer.timedOut) return undefined
  const durationMs = Math.round(performance.now() - start)
  const [firstLine = ""] = `${answer.stdout}${answer.stderr}`.trim().split("\n")
  if (answer.code === 0 && firstLine !== "") {
    return { area: "container", name, status: "ok", message: `version ${firstLine} answers`, durationMs }
  }
  const problem = answer.timedOut ? `did not answer within ${engineLimitMs / 1000} s` : firstLine || "does not answer"
  return {
    area: "container",
    name,
    status: "note",
    message: `is installed, but ${answer.timedOut ? problem : `cannot be used: ${problem}`}`,
    hint:
      name === "docker" ? "Start the Docker daemon, and check that you may use it." : "Run `podman info` to see why.",
    durationMs,
  }
}

/** What a user can see, and whether a server can ask them something. */
export function checkTerminal(terminal: Terminal, env: Environment): Check {
  const common = { area: "terminal", name: "terminal" } as const
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || ""
  const isUtf8 = process.platform === "win32" || /utf-?8/i.test(locale)
  const facts = [
    terminal.stdout ? "output to a terminal" : "output to a pipe or file: plain text",
    terminal.color ? "colour" : "no colour",
    isUtf8 ? "UTF-8" : `locale ${locale || "not set"}`,
    terminal.stdin && terminal.stderr ? "servers may ask questions" : "questions of servers are declined",
  ]
  const message = facts.join(", ")
  if (isUtf8) return { ...common, status: "ok", message }
  return { ...common, status: "warn", message, hint: "Set a UTF-8 locale, for example: export LANG=C.UTF-8" }
}

/** Which program this is. */
export function checkRuntime(): Check {
  const { bun, deno, node } = process.versions as Record<string, string | undefined>
  const runtime = bun ? `Bun ${bun}` : deno ? `Deno ${deno}` : `Node ${node}`
  const how = isCompiled ? "compiled" : "from source"
  const message = `mcp-exec ${version}, ${how}, ${runtime}, ${process.platform} ${process.arch}`
  return { area: "runtime", name: "runtime", status: "ok", message }
}

/** Whether what was learned about servers can be remembered. */
export async function checkCache(directory: string): Promise<Check> {
  const common = { area: "runtime", name: "cache" } as const
  const probe = join(directory, `.doctor-${process.pid}`)
  try {
    await mkdir(directory, { recursive: true })
    await writeFile(probe, "")
    await rm(probe)
    return { ...common, status: "ok", message: `${directory} is writable` }
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    return {
      ...common,
      status: "warn",
      message: `${directory} cannot be written: ${problem}`,
      hint: "Make it writable, or point MCP_EXEC_CACHE_DIR at a folder that is.",
    }
  }
}
