// Containers that were started ahead: each is for one run, knows nothing before it, and ends with it.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs"
import { planBox } from "../../src/harness/container/container.ts"
import { findEngine } from "../../src/harness/container/engine.ts"
import { nobody } from "../../src/harness/container/flags.ts"
import { startWaiting } from "../../src/harness/container/waiting.ts"
import { createContext } from "../../src/operations/context.ts"
import { engineWish } from "../../src/operations/sandbox/find.ts"
import { limitsOf } from "../../src/operations/sandbox/limits.ts"
import { openSandboxPool, warmSandbox } from "../../src/operations/sandbox/pool.ts"
import { eventually } from "../fixtures/eventually.ts"
import { createProject, type StartOptions } from "../fixtures/project.ts"
import { builtProgram, type EngineName, engines, sandboxEnv } from "./program.ts"

const slow = 120_000
const secret = `secret-${crypto.randomUUID()}`
// The number of the folder that is mounted into this container and no other.
const who = String.raw`import { existsSync, readFileSync, writeFileSync } from "node:fs"
const number = /\.(\d+) \/run\/mcp-exec /.exec(readFileSync("/proc/self/mountinfo", "utf8"))?.[1]
console.log(JSON.stringify({ number, isUsed: existsSync("/tmp/used"), shown: existsSync("servers/b.ts") }))
writeFileSync("/tmp/used", "")`

// What a script can tell of its own process.
const self = String.raw`import { readdirSync, readFileSync, readlinkSync } from "node:fs"
const [, command] = readFileSync("/proc/self/cmdline", "utf8").split("\0")
const files = readdirSync("/proc/self/fd").filter((name) => {
  try { return /^(pipe|socket|\/)/.test(readlinkSync("/proc/self/fd/" + name)) } catch { return false }
})
const { argv, env } = process
const oom = readFileSync("/proc/self/oom_score_adj", "utf8")
console.log(JSON.stringify({ command, argv, env, files, oom, cwd: process.cwd(), main: import.meta.main }))`

for (const runtime of engines) describe(`the warm pool of ${runtime}`, () => describePool(runtime))

function describePool(runtime: EngineName) {
  const program = [builtProgram()]
  const project = createProject({
    config: { sandbox: { runtime, pool: 2 } },
    files: { "who.ts": who, "servers/a.ts": "", "workspace/in.txt": "" },
  })
  // Of its own, so that no other test's containers wait here.
  const runtimeFolder = `/tmp/mcp-exec-pool-${runtime}-${process.pid}`
  const env = { ...sandboxEnv(), XDG_RUNTIME_DIR: runtimeFolder, SECRET: secret, ADDED: secret }
  const options: StartOptions = { program, env }
  const folder = `${runtimeFolder}/mcp-exec`
  const waiting = () => readdirSync(folder).filter((name) => name.startsWith("warm.") && name !== "warm.lock")
  const numbers = () => waiting().map((name) => name.slice(name.lastIndexOf(".") + 1))
  const untilWaiting = (count: number) =>
    eventually(() => waiting().length === count && !existsSync(`${folder}/warm.lock`))
  const exec = async (...flags: string[]) => {
    const { stdout, stderr } = await project.run(["exec", "--sandbox", ...flags, "who.ts"], options)
    expect(stderr).toBe("")
    return JSON.parse(stdout) as { number: string; isUsed: boolean; shown: boolean }
  }

  beforeAll(async () => {
    mkdirSync(runtimeFolder, { mode: 0o700 })
    expect(await project.run(["sandbox", "build"], options)).toMatchObject({ code: 0 })
  }, slow)
  afterAll(async () => {
    await project.run(["sandbox", "prune"], options)
    expect(containers(runtime, folder)).toEqual([])
    rmSync(runtimeFolder, { recursive: true, force: true })
    project[Symbol.dispose]()
  }, slow)

  test(
    "gives each run a container that waited, and none to two",
    async () => {
      await exec()
      const seen = new Set<string>()
      for (let round = 0; round < 3; round++) {
        await untilWaiting(2)
        const ready = numbers()
        const { number, isUsed } = await exec("--env", `TOKEN=${secret}`)
        expect(ready).toContain(number)
        expect(isUsed).toBe(false)
        seen.add(number)
      }
      expect(seen.size).toBe(3)
      await untilWaiting(2)
      const many = await Promise.all(Array.from({ length: 5 }, () => exec()))
      expect(new Set(many.map(({ number }) => number)).size).toBe(5)
      expect(many.some(({ isUsed }) => isUsed)).toBe(false)
      await untilWaiting(2)
    },
    2 * slow,
  )

  test(
    "lets none of them know a secret",
    async () => {
      await untilWaiting(2)
      const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name))
      const ours = pids.filter((pid) => numbers().some((number) => read(pid, "mountinfo").includes(`.${number} /run/`)))
      const [box, ahead] = ["/bin/mcp-exec\0__box\0/run/mcp-exec/c\0", "/bin/mcp-exec\0__run-ahead\0"]
      expect(ours.map((pid) => read(pid, "cmdline")).sort()).toEqual([box, box, ahead, ahead])
      for (const pid of ours) {
        const environ = read(pid, "environ")
        expect(environ).not.toContain(secret)
        const names = environ.split("\0").flatMap((each) => /^MCP_EXEC_\w+/.exec(each)?.[0] ?? [])
        const wanted = ["MCP_EXEC_BROKER", "MCP_EXEC_SCRATCH", "MCP_EXEC_WORKSPACE"]
        expect(names.sort()).toEqual(read(pid, "cmdline") === box ? [] : wanted)
      }
    },
    slow,
  )

  test(
    "has a process wait for the script, which runs as it would in any other",
    async () => {
      project.write({ "self.ts": self, "piped.ts": "console.log(await Bun.stdin.text())" })
      const run = async (...words: string[]) => {
        await untilWaiting(2)
        const { code, stdout, stderr } = await project.run(["exec", "--sandbox", ...words], options)
        expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
        return stdout
      }
      const waited = JSON.parse(await run("self.ts", "a", "b c"))
      // Started for the script, because nothing of the user's is told to a container that waits.
      const started = JSON.parse(await run("--env", "ADDED", "self.ts", "a", "b c"))
      expect([waited.command, started.command]).toEqual(["__run-ahead", "__run"])
      expect(started.env.ADDED).toBe(secret)
      for (const { env } of [waited, started]) {
        expect(env.MCP_EXEC_TOKEN).toBeString()
        delete env.MCP_EXEC_TOKEN
      }
      delete started.env.ADDED
      expect({ ...waited, command: "" }).toEqual({ ...started, command: "" })
      expect(waited.files).toEqual(["0", "1", "2"])
      expect(JSON.parse(await run("-e", self, "a")).command).toBe("__run-ahead")
      expect(await run("piped.ts")).toBe("\n")
    },
    2 * slow,
  )

  test(
    "is not used for runs that need another container",
    async () => {
      await untilWaiting(2)
      const ready = numbers()
      expect(ready).not.toContain((await exec("--workspace", "none")).number)
      project.write({ "other.json": JSON.stringify({ sandbox: { runtime, memory: "300m" } }) })
      expect(ready).not.toContain((await exec("--config", "other.json")).number)
      // The same path, another folder.
      project.write({ "next/b.ts": "" })
      renameSync(project.path("servers"), project.path("before"))
      renameSync(project.path("next"), project.path("servers"))
      const { number, shown } = await exec()
      expect(ready).not.toContain(number)
      expect(shown).toBe(true)
    },
    2 * slow,
  )

  test(
    "is shown by status, is emptied by prune, and does without containers that have died",
    async () => {
      // Those of the test before wait, too, unless this is a second try, which has removed them.
      const wanted = waiting().length < 2 ? 2 : 4
      await exec()
      await eventually(() => !existsSync(`${folder}/warm.lock`) && waiting().length >= wanted)
      const shown = JSON.parse((await project.run(["sandbox", "status", "--json"], options)).stdout)
      const names = numbers().map((number) => `mcp-exec-${number}`)
      const warm = shown.containers.filter(({ isWarm }: { isWarm: boolean }) => isWarm)
      expect(shown).toMatchObject({ pool: 2, warm: warm.length })
      expect(warm.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(names))
      for (const name of names) Bun.spawnSync([runtime, "rm", "--force", name])
      expect((await exec()).isUsed).toBe(false)
      await eventually(() => !existsSync(`${folder}/warm.lock`) && containers(runtime, folder).length >= 2)
      const pruned = JSON.parse((await project.run(["sandbox", "prune", "--json"], options)).stdout)
      expect(pruned.containers.length).toBeGreaterThanOrEqual(2)
      // Between two looks, somebody may have filled it up once more.
      const left = async () => {
        await project.run(["sandbox", "prune"], options)
        return [...waiting(), ...containers(runtime, folder)]
      }
      await eventually(left, (names) => names.length === 0)
    },
    2 * slow,
  )

  test(
    "holds a container for a while, and no longer",
    async () => {
      const programEnv = { ...process.env, ...env, MCP_EXEC_SANDBOX_PROGRAM: program[0] }
      await using context = createContext({ cwd: project.directory, env: programEnv, log: () => {} })
      const engine = await findEngine(await engineWish(context))
      const view = { root: "/workspace", mounts: [], scratches: ["/workspace"], workspace: "/workspace", warnings: [] }
      const limits = limitsOf((await context.config()).sandbox)
      const before = numbers()
      await startWaiting(planBox({ engine, view: { ...view, user: nobody }, limits }), folder, programEnv, 2000)
      const [number = "none"] = numbers().filter((each) => !before.includes(each))
      expect(containers(runtime, folder)).toContain(`mcp-exec-${number}`)
      await eventually(() => !containers(runtime, folder).includes(`mcp-exec-${number}`))
    },
    slow,
  )

  test(
    "of a process that stays is filled ahead, and closed with it",
    async () => {
      const programEnv = { ...process.env, ...env, MCP_EXEC_SANDBOX_PROGRAM: program[0] }
      await using context = createContext({ cwd: project.directory, env: programEnv, log: () => {} })
      const pool = await openSandboxPool(context)
      await warmSandbox(context, pool)
      const own = waiting().length
      await pool.close()
      expect(own - waiting().length).toBe(2)
      await project.run(["sandbox", "prune"], options)
      const other = await openSandboxPool(context, 1)
      await warmSandbox(context, other)
      const ready = numbers()
      expect(ready).toHaveLength(1)
      expect(ready).toContain((await exec()).number)
      await untilWaiting(2)
      await other.close()
      expect(waiting()).toEqual([])
    },
    2 * slow,
  )
}

function containers(engine: EngineName, folder: string): string[] {
  const args = ["ps", "--all", "--filter", `label=mcp-exec-folder=${folder}`, "--format", "{{.Names}}"]
  const { stdout } = Bun.spawnSync([engine, ...args])
  return stdout
    .toString()
    .split("\n")
    .filter((name) => name !== "")
}

function read(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8")
  } catch {
    return "" // it has ended
  }
}
