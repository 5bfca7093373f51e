// A project whose commands use a daemon, and which leaves none behind.
import { expect } from "bun:test"
import { readFileSync } from "node:fs"
import { createContext, type OperationContext } from "../../src/operations/context.ts"
import { type DaemonReport, daemonStatus, startDaemonNow, stopDaemon } from "../../src/operations/daemon/control.ts"
import { createProject, type Project, type ProjectInput, type StartOptions } from "../fixtures/project.ts"

export interface DaemonProject extends AsyncDisposable {
  project: Project
  /** What the program is given, besides what every project gives it. */
  env: Record<string, string>
  context(env?: Record<string, string>): OperationContext
  start(args: string[], options?: StartOptions): ReturnType<Project["start"]>
  run(args: string[], options?: StartOptions): ReturnType<Project["run"]>
  status(): Promise<DaemonReport>
  /** Starts a daemon and resolves to its process. */
  startDaemon(env?: Record<string, string>): Promise<number>
  /** Resolves to the daemon's process once one answers. */
  waitForDaemon(): Promise<number>
  lines(name: string): string[]
}

export function createDaemonProject(input: ProjectInput): DaemonProject {
  const project = createProject({ ...input, daemon: false })
  const env = { MCP_EXEC_DAEMON: "1" }
  const context = (more: Record<string, string> = {}) =>
    createContext({
      cwd: project.directory,
      env: {
        PATH: process.env.PATH ?? "",
        HOME: project.directory,
        MCP_EXEC_CACHE_DIR: project.path(".cache"),
        ...env,
        ...more,
      },
      log: () => {},
    })
  const withEnv = (options: StartOptions = {}) => ({ ...options, env: { ...env, ...options.env } })
  const status = () => daemonStatus(context())
  return {
    project,
    env,
    context,
    start: (args, options) => project.start(args, withEnv(options)),
    run: (args, options) => project.run(args, withEnv(options)),
    status,
    async startDaemon(more) {
      return (await startDaemonNow(context(more))).daemon?.pid ?? 0
    },
    async waitForDaemon() {
      for (let attempt = 0; attempt < 500; attempt++) {
        const { daemon } = await status()
        if (daemon !== undefined) return daemon.pid
        await Bun.sleep(20)
      }
      throw new Error("no daemon has come")
    },
    lines: (name) => readLines(project.path(name)),
    async [Symbol.asyncDispose]() {
      await stopDaemon(context())
      project[Symbol.dispose]()
    },
  }
}

/** The processes of all daemons of a project that have been started so far, needed or not unless told so. */
export function startedDaemons(project: Project, kind = / started for | not needed: /): number[] {
  const logs = [...new Bun.Glob("daemon/*").scanSync(project.path(".cache"))].map((name) => `.cache/${name}`)
  const lines = logs.flatMap((name) => readLines(project.path(name)))
  return lines.filter((line) => kind.test(line)).map((line) => Number(line.split(" ")[1]))
}

export function readLines(path: string): string[] {
  try {
    return readFileSync(path, "utf8").split("\n").filter(Boolean)
  } catch {
    return [] // nothing was written yet
  }
}

/**
 * That exactly one daemon serves a project. On a busy machine it may be taken for none, when it answers late; who is
 * started then finds that it is not needed. That is rare.
 */
export function expectOneDaemon(project: Project): void {
  expect(startedDaemons(project, / started for /)).toHaveLength(1)
  expect(startedDaemons(project).length).toBeLessThan(5)
}

/** A script that prints what one call gives. */
export function callScript(server: string, tool: string, args: object = {}): string {
  return `import { callTool } from "mcp-exec"
console.log(JSON.stringify(await callTool("${server}", "${tool}", ${JSON.stringify(args)})))
`
}
