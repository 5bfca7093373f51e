// Where the scripts of abuse/ are run: a project with secrets, and what must be true after each of them.
import { afterAll, afterEach, beforeAll, describe, expect } from "bun:test"
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { eventually } from "../fixtures/eventually.ts"
import { createProject, type Finished, type Project, type RunningProgram, waitForOutput } from "../fixtures/project.ts"
import { containersIn, processesIn, processesWith, procFile, residentBytesOf } from "./observe.ts"
import { builtProgram, type EngineName, engines, sandboxEnv } from "./program.ts"
import { walledEnv } from "./walled.ts"

export const slow = 180_000
const scripts = join(import.meta.dir, "abuse")

export interface AbuseRun extends Finished {
  /** The most memory that mcp-exec itself has had, or its daemon. */
  peakBytes: number
}

export interface AbuseProject {
  project: Project
  /** A folder of the host that no script is shown. */
  outside: Project
  /** In files and variables that no script may see. */
  secret: string
  /** Of the run that was started last: those in its container, and mcp-exec itself. */
  processes(): string[]
  run(args: string[]): Promise<AbuseRun>
  /** `look` is called when the script has printed "looking", and holds it until it has looked. */
  runWatched(args: string[], look: (pid: string) => Promise<void> | void): Promise<AbuseRun>
}

/** Describes scripts in containers of every engine, started for them or waiting, behind a wall, and with a daemon. */
export function describeInContainers(describeAbuse: (it: AbuseProject) => void): void {
  for (const runtime of engines) {
    describe(`in a container of ${runtime}`, () => describeAbuse(prepare(runtime)))
    describe(`in a container of ${runtime} that has waited`, () => describeAbuse(prepare(runtime, { pool: 2 })))
  }
  for (const runtime of engines.slice(0, 1)) {
    describe(`in a container of ${runtime} over stdin and stdout`, () =>
      describeAbuse(prepare(runtime, { env: walledEnv(runtime) })))
    describe(`in a container of ${runtime} that a daemon answers`, () =>
      describeAbuse(prepare(runtime, { hasDaemon: true })))
  }
}

interface Manner {
  pool?: number
  env?: Record<string, string>
  hasDaemon?: boolean
}

function prepare(runtime: EngineName, { pool = 0, env: more, hasDaemon = false }: Manner = {}): AbuseProject {
  const program = [builtProgram()]
  const secret = `secret-${crypto.randomUUID()}`
  const mark = `mark-${crypto.randomUUID()}`
  const outside = createProject({ files: { "secret.txt": secret } })
  const project = createProject({
    servers: { echo: { type: "builtin", name: "echo", env: { SECRET: secret } } },
    config: { sandbox: { runtime, pool, timeout: 30, maxOutput: "1m" } },
    files: {
      ".env": `SECRET=${secret}`,
      "notes.txt": secret,
      "skills/a.ts": "",
      "workspace/in.txt": "",
      ...Object.fromEntries(readdirSync(scripts).map((name) => [name, readFileSync(join(scripts, name), "utf8")])),
    },
  })
  const env: Record<string, string> = {
    ...sandboxEnv(),
    ...more,
    SECRET: secret,
    MCP_EXEC_DAEMON: hasDaemon ? "1" : "0",
  }
  const places = join(env.MCP_EXEC_CACHE_DIR ?? "", "run")
  let pid = 0
  let daemon: number | undefined
  const daemonOf = async () => {
    const { stdout } = await project.run(["daemon", "start", "--json"], { program, env })
    return JSON.parse(stdout).daemon.pid as number
  }
  const start = (args: string[]) => {
    const running = project.start(["exec", "--sandbox", ...args, mark], { program, env })
    pid = running.pid
    return running
  }
  const finish = async (running: RunningProgram): Promise<AbuseRun> => {
    let peakBytes = 0
    const watching = setInterval(() => {
      peakBytes = Math.max(peakBytes, residentBytesOf(running.pid), daemon === undefined ? 0 : residentBytesOf(daemon))
    }, 20)
    const finished = await running.finished.finally(() => clearInterval(watching))
    return { ...finished, peakBytes }
  }

  beforeAll(async () => {
    expect(await project.run(["sandbox", "build"], { program, env })).toMatchObject({ code: 0 })
    chmodSync(project.path("workspace"), 0o777)
    if (hasDaemon) daemon = await daemonOf()
    if (pool === 0) return
    await start(["-e", "1"]).finished
    await start(["--workspace", "rw", "-e", "1"]).finished
    await eventually(() => readdirSync(places).filter((name) => name.startsWith("warm.")).length >= 4)
  }, slow)
  afterAll(async () => {
    // The last run has left others to be started.
    if (pool > 0) {
      await Bun.sleep(1000)
      await eventually(() => !existsSync(join(places, "warm.lock")))
      await project.run(["sandbox", "prune"], { program, env })
    }
    if (hasDaemon) await project.run(["daemon", "stop"], { program, env })
    project[Symbol.dispose]()
    outside[Symbol.dispose]()
  }, slow)
  afterEach(async () => {
    await eventually(() => leftContainers(runtime, places).length === 0)
    await eventually(() => processesWith(mark).length === 0)
    await eventually(() => leftProcesses(places).length === 0)
    expect(readdirSync(places).filter((name) => name.startsWith(`${pid}.`))).toEqual([])
    // It has survived, and serves others.
    if (daemon !== undefined) expect(await daemonOf()).toBe(daemon)
  })

  return {
    project,
    outside,
    secret,
    processes: () => [...new Set([...processesWith(mark), ...insidersOf(pid, places)])],
    run: (args) => finish(start(args)),
    async runWatched(args, look) {
      rmSync(project.path("workspace/seen"), { force: true })
      const running = start(args)
      const finished = finish(running)
      await waitForOutput(running, "looking")
      const [script] = [...insidersOf(running.pid, places), ...processesWith(mark)].filter(isScript)
      if (script === undefined) throw new Error("the script's process is not there")
      await look(script)
      project.write({ "workspace/seen": "" })
      return await finished
    },
  }
}

/** Neither the box, nor mcp-exec outside, nor an engine: the process that the box has started. */
function isScript(pid: string): boolean {
  return /^__run(-ahead)?$/.test(procFile(pid, "cmdline").split("\0")[1] ?? "")
}

/** The processes in the container of one run of mcp-exec, where its place is mounted. */
function insidersOf(caller: number, places: string): string[] {
  const own = readdirSync(places).filter((name) => name.startsWith(`${caller}.`))
  const insiders = processesIn(places).filter(({ number }) => own.includes(`${caller}.${number}`))
  return insiders.map(({ pid }) => pid)
}

/** Processes in containers that belong neither to a run nor to those that wait. */
function leftProcesses(places: string): string[] {
  const wanted = readdirSync(places).map((name) => name.slice(name.lastIndexOf(".") + 1))
  return processesIn(places).flatMap(({ pid, number }) => (wanted.includes(number) ? [] : [pid]))
}

/** Containers that belong neither to a run nor to those that wait. */
function leftContainers(engine: EngineName, places: string): string[] {
  const wanted = readdirSync(places).map((name) => `mcp-exec-${name.slice(name.lastIndexOf(".") + 1)}`)
  return containersIn(engine, places).filter((name) => !wanted.includes(name))
}

/** For scripts that report what they have tried: they tried it all, came to their end, and saw no secret. */
export function expectBlocked({ secret }: AbuseProject, { code, stdout, stderr }: Finished, attempts: number): void {
  expect(stdout.split("\n").filter((line) => line.startsWith("ESCAPED"))).toEqual([])
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
  expect(stdout).toEndWith("done\n")
  expect(stdout.split("\n").filter((line) => line.startsWith("blocked")).length).toBeGreaterThanOrEqual(attempts)
  expect(stdout).not.toContain(secret)
}
