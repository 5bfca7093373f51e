import { afterAll, describe, expect, test } from "bun:test"
import { fixtureServer } from "../fixtures/config.ts"
import { createProject, waitForEnd, waitForOutput } from "../fixtures/project.ts"

const project = createProject({
  servers: { orphans: fixtureServer("orphans"), stubborn: fixtureServer("stubborn"), hang: fixtureServer("hang") },
  files: {
    "loop.ts": 'console.log("pid", process.pid)\nfor (;;) {}',
    "sleeps.ts": 'console.log("pid", process.pid)\nawait Bun.sleep(60_000)\nconsole.log("too late")',
    "children.ts":
      'const child = Bun.spawn(["sleep", "60"])\nconsole.log("pids", process.pid, child.pid)\nawait Bun.sleep(60_000)',
    "leaves.ts": 'const child = Bun.spawn(["sleep", "60"])\nchild.unref()\nconsole.log("pids", child.pid)',
    "ignores.ts": 'process.on("SIGTERM", () => {})\nconsole.log("pid", process.pid)\nawait Bun.sleep(60_000)',
    "handles.ts":
      'process.on("SIGINT", () => process.exit(9))\nconsole.log("pid", process.pid)\nawait Bun.sleep(60_000)',
    "server.ts":
      'import { callTool } from "mcp-exec"\nconst pids = await callTool("orphans", "children", {})\nconsole.log("pids", JSON.stringify(pids))\nawait Bun.sleep(60_000)',
    "hung-call.ts":
      'import { callTool } from "mcp-exec"\nconsole.log("calling", process.pid)\nawait callTool("hang", "hang", {})',
  },
})
afterAll(() => project[Symbol.dispose]())

const pidsIn = (text: string) => (text.match(/\d+/g) ?? []).map(Number)

// Long enough for a script to have started, and to have printed.
const short = ["--timeout", "5"]

describe("a timeout", () => {
  test("ends the script and everything it has started, and keeps its output", async () => {
    const { code, stdout, stderr } = await project.run(["exec", ...short, "children.ts"])
    expect(code).toBe(124)
    expect(stderr).toStartWith("error[E_SCRIPT_TIMEOUT]: ")
    expect(stderr).toContain("hint: ")
    expect(pidsIn(stdout)).toHaveLength(2)
    for (const pid of pidsIn(stdout)) await waitForEnd(pid)
  })

  test("ends a script that never yields", async () => {
    const { code, stdout } = await project.run(["exec", ...short, "loop.ts"])
    expect(code).toBe(124)
    expect(stdout).toStartWith("pid ")
  })

  test("becomes a kill when the script ignores the request to end", async () => {
    const { code, stdout } = await project.run(["exec", ...short, "ignores.ts"])
    expect(code).toBe(124)
    await waitForEnd(pidsIn(stdout)[0] ?? 0)
  })

  test("may come from the configuration, and the command line wins", async () => {
    using impatient = createProject({ config: { exec: { timeout: 0.2 } }, files: { "a.ts": "await Bun.sleep(600)" } })
    expect((await impatient.run(["exec", "a.ts"])).code).toBe(124)
    expect((await impatient.run(["exec", "--timeout", "20", "a.ts"])).code).toBe(0)
  })

  test("is nowhere unless somebody asks for one", async () => {
    expect((await project.run(["exec", "-e", "await Bun.sleep(400)"])).code).toBe(0)
  })
})

describe("a signal", () => {
  for (const [signal, exit] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const) {
    test(`${signal} reaches the script and gives ${exit}`, async () => {
      const program = project.start(["exec", "children.ts"])
      const pids = pidsIn(await waitForOutput(program, "\n"))
      program.kill(signal)
      expect((await program.finished).code).toBe(exit)
      for (const pid of pids) await waitForEnd(pid)
    })
  }

  test("that the script handles leaves it its own exit code", async () => {
    const program = project.start(["exec", "handles.ts"])
    await waitForOutput(program, "\n")
    program.kill("SIGINT")
    expect((await program.finished).code).toBe(9)
  })

  test("ends a script that waits for a server which does not answer", async () => {
    const program = project.start(["exec", "hung-call.ts"])
    await waitForOutput(program, "calling")
    await Bun.sleep(300)
    program.kill("SIGTERM")
    expect((await program.finished).code).toBe(143)
  })
})

// Its servers are its own, and end with it.
const alone = { env: { MCP_EXEC_DAEMON: "0" } }

describe("nothing is left behind", () => {
  test("when the script leaves a process running", async () => {
    const { code, stdout } = await project.run(["exec", "leaves.ts"])
    expect(code).toBe(0)
    for (const pid of pidsIn(stdout)) await waitForEnd(pid)
  })

  for (const file of ["loop.ts", "sleeps.ts", "children.ts", "server.ts"]) {
    test(`when mcp-exec is killed while it runs ${file}`, async () => {
      const program = project.start(["exec", file], alone)
      const pids = pidsIn(await waitForOutput(program, "\n"))
      expect(pids.length).toBeGreaterThan(0)
      await Bun.sleep(200)
      program.kill("SIGKILL")
      for (const pid of pids) await waitForEnd(pid)
    })
  }

  test("when the script is killed while a server works for it", async () => {
    const program = project.start(["exec", "server.ts"], alone)
    const pids = pidsIn(await waitForOutput(program, "\n"))
    program.kill("SIGTERM")
    await program.finished
    for (const pid of pids) await waitForEnd(pid)
  })
})
