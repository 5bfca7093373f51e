// Scripts that try to get out, to get at something, or to stay. Each is run as a user would run it; what
// it has achieved is judged from the outside. The scripts are in abuse/.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test"
import { createSocket } from "node:dgram"
import { chmodSync, existsSync, lstatSync, readdirSync, readFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { createProject, type Finished } from "../fixtures/project.ts"
import { builtProgram, type EngineName, engines, sandboxEnv } from "./program.ts"

const slow = 90_000
const scripts = join(import.meta.dir, "abuse")
// Found in no command line and no file but ours.
const marker = `marker-${crypto.randomUUID()}`

for (const runtime of engines) {
  describe(`in a container of ${runtime}`, () => describeAbuse(runtime, 0))
  describe(`in a container of ${runtime} that has waited`, () => describeAbuse(runtime, 2))
}

function describeAbuse(runtime: EngineName, pool: number) {
  const program = [builtProgram()]
  const outside = createProject({ files: { "secret.txt": marker } })
  const project = createProject({
    servers: { echo: { type: "builtin", name: "echo", env: { SECRET: marker } } },
    config: { sandbox: { runtime, pool, timeout: 20, maxOutput: "1m" } },
    files: {
      ".env": `SECRET=${marker}`,
      "notes.txt": marker,
      "skills/a.ts": "",
      "workspace/in.txt": "",
      ...Object.fromEntries(readdirSync(scripts).map((name) => [name, readFileSync(join(scripts, name), "utf8")])),
    },
  })
  const env: Record<string, string> = { ...sandboxEnv(), SECRET: marker }
  let pid = 0
  const places = join(env.MCP_EXEC_CACHE_DIR ?? "", "run")
  let peakBytes = 0
  const run = async (args: string[]): Promise<Finished> => {
    const running = project.start(["exec", "--sandbox", ...args], { program, env })
    pid = running.pid
    peakBytes = 0
    const watching = setInterval(() => {
      peakBytes = Math.max(peakBytes, memoryOf(pid))
    }, 20)
    return await running.finished.finally(() => clearInterval(watching))
  }

  beforeAll(async () => {
    expect(await project.run(["sandbox", "build"], { program, env })).toMatchObject({ code: 0 })
    chmodSync(project.path("workspace"), 0o777)
    if (pool > 0) {
      await run(["-e", "1"])
      await run(["--workspace", "rw", "-e", "1"])
      await eventually(() => readdirSync(places).filter((name) => name.startsWith("warm.")).length >= 4, "none waits")
    }
  }, slow)
  afterAll(async () => {
    // The last run has left others to be started.
    if (pool > 0) {
      await Bun.sleep(1000)
      await eventually(() => !existsSync(join(places, "warm.lock")), "containers are still being started")
      await project.run(["sandbox", "prune"], { program, env })
    }
    project[Symbol.dispose]()
    outside[Symbol.dispose]()
  }, slow)
  afterEach(async () => {
    await eventually(() => leftContainers(runtime, places).length === 0, "a container is left")
    await eventually(() => processesWith(marker).length === 0, "a process is left")
    expect(readdirSync(places).filter((name) => name.startsWith(`${pid}.`))).toEqual([])
  })

  /** For scripts that report what they have tried. */
  const expectBlocked = ({ code, stdout, stderr }: Finished, attempts: number) => {
    expect(stdout.split("\n").filter((line) => line.startsWith("ESCAPED"))).toEqual([])
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    expect(stdout).toEndWith("done\n")
    expect(stdout.split("\n").filter((line) => line.startsWith("blocked")).length).toBeGreaterThanOrEqual(attempts)
    expect(stdout).not.toContain(marker)
  }

  test(
    "files of the host cannot be read or written",
    async () => {
      expectBlocked(await run(["host-files.ts", outside.path("secret.txt"), project.directory]), 25)
    },
    slow,
  )

  test(
    "nothing can be reached over a network",
    async () => {
      let reached = 0
      const count = () => void reached++
      const server = createServer(count).listen(0, "0.0.0.0")
      await new Promise((resolve) => server.once("listening", resolve))
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      const datagrams = createSocket("udp4").on("message", count)
      datagrams.bind(port)
      const name = `mcp-exec-abuse-${port}`
      const abstract = Bun.listen({ unix: `\0${name}`, socket: { data() {}, open: count } })
      try {
        expectBlocked(await run(["network.ts", String(port), name]), 14)
        expect(reached).toBe(0)
        // It is there for those who are not in a container.
        await Bun.connect({ unix: `\0${name}`, socket: { data() {} } })
        await eventually(() => reached === 1, "the abstract socket cannot be reached at all")
      } finally {
        abstract.stop(true)
        server.close()
        datagrams.close()
      }
    },
    slow,
  )

  test("the kernel opens no door", async () => expectBlocked(await run(["kernel.ts"]), 38), slow)

  for (const kind of ["x32", "32 bits"]) {
    test.if(process.arch === "x64")(
      `a call of the kernel as ${kind} ends the script at once`,
      async () => {
        const startedAt = performance.now()
        expect(await run(["foreign-calls.ts", kind])).toMatchObject({ code: 128 + 31, stdout: "before\n" })
        expect(performance.now() - startedAt).toBeLessThan(10_000)
      },
      slow,
    )
  }

  test(
    "the broker lets nobody else in, and still serves the script",
    async () => {
      const finished = await run(["broker.ts"])
      expectBlocked(finished, 206)
      expect(finished.stdout).toContain('{"after":true}')
    },
    slow,
  )

  test(
    "what a script has started ends with it",
    async () => {
      expect(await run(["survivors.ts", marker])).toEqual({ code: 0, stdout: "done\n", stderr: "" })
    },
    slow,
  )

  test(
    "a fork bomb ends with the container",
    async () => {
      const { code } = await run(["--timeout", "4", "fork-bomb.ts", marker])
      expect([124, 137]).toContain(code)
    },
    slow,
  )

  test(
    "a memory bomb ends itself and nothing else",
    async () => {
      const text = "const all = []; while (true) all.push(new Uint8Array(1 << 24).fill(1))"
      const { code, stderr } = await run(["-e", text])
      expect(code).toBe(137)
      expect(stderr).toContain("error[E_SCRIPT_MEMORY]")
    },
    slow,
  )

  test(
    "memory, also that of files, is limited",
    async () => {
      const finished = await run(["fill.ts"])
      expectBlocked(finished, 3)
      expect(finished.stdout.match(/after 6[34] MB: ENOSPC/g)).toHaveLength(3)
    },
    slow,
  )

  test(
    "a processor is not used for longer than allowed",
    async () => {
      const startedAt = performance.now()
      const text = "const busy = new Worker('data:text/javascript,while(true){}'); while (true) {}"
      expect((await run(["--timeout", "2", "-e", text])).code).toBe(124)
      expect(performance.now() - startedAt).toBeLessThan(15_000)
    },
    slow,
  )

  test(
    "a flood of output is cut, and fills nothing",
    async () => {
      const text = 'const piece = "x".repeat(1 << 20); for (let count = 0; count < 1024; count++) console.log(piece)'
      const { stdout, stderr } = await run(["-e", text])
      expect(stdout.length).toBe(1 << 20)
      expect(stderr).toContain("The script's output was cut after 1 MB")
      expect(peakBytes).toBeLessThan(512 << 20)
    },
    slow,
  )

  test(
    "a flood of calls is answered or refused, and does not bring mcp-exec down",
    async () => {
      const { code, stdout } = await run(["many-calls.ts"])
      expect({ code, end: stdout.slice(-5) }).toEqual({ code: 0, end: "done\n" })
      expect(peakBytes).toBeGreaterThan(0)
      expect(peakBytes).toBeLessThan(1 << 30)
    },
    slow,
  )

  test(
    "a million calls at once end with the script, and cost mcp-exec little",
    async () => {
      const { code, stdout } = await run(["--timeout", "8", "million-calls.ts"])
      expect(stdout).toStartWith("begins\n")
      // Sent, out of time, or out of memory: its own, in all cases.
      expect([0, 124, 137]).toContain(code)
      expect(peakBytes).toBeLessThan(1 << 30)
    },
    slow,
  )

  test(
    "links in the workspace lead nobody out",
    async () => {
      const finished = await run(["--workspace", "rw", "links.ts", outside.directory])
      expectBlocked(finished, 7)
      expect(readdirSync(outside.directory)).toEqual(["secret.txt"])
      expect(outside.path("secret.txt")).toSatisfy((path: string) => readFileSync(path, "utf8") === marker)
      expect(lstatSync(project.path("workspace/report.txt")).isFile()).toBe(true)
      expect(existsSync(project.path("planted.txt"))).toBe(false)
    },
    slow,
  )
}

/** Containers that belong neither to a run nor to those that wait. */
function leftContainers(engine: EngineName, places: string): string[] {
  const args = ["ps", "--all", "--filter", `label=mcp-exec-folder=${places}`, "--format", "{{.Names}}"]
  const names = Bun.spawnSync([engine, ...args])
    .stdout.toString()
    .split("\n")
    .filter((name) => name !== "")
  const wanted = readdirSync(places).map((name) => `mcp-exec-${name.slice(name.lastIndexOf(".") + 1)}`)
  return names.filter((name) => !wanted.includes(name))
}

function memoryOf(pid: number): number {
  try {
    return Number(/VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1024
  } catch {
    return 0 // it has ended
  }
}

function processesWith(text: string): string[] {
  return readdirSync("/proc").filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, "utf8").includes(text)
    } catch {
      return false // ended between the two looks
    }
  })
}

async function eventually(holds: () => boolean, complaint: string): Promise<void> {
  const deadline = performance.now() + 10_000
  while (!holds()) {
    if (performance.now() > deadline) throw new Error(complaint)
    await Bun.sleep(50)
  }
}
