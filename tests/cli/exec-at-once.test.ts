// Without a configuration there is nothing to find out before a script may run: it is started at once, and attended to
// only when it is not soon over. Nobody may see a difference.
import { afterAll, describe, expect, test } from "bun:test"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { eventually } from "../fixtures/eventually.ts"
import { nobodyRuns } from "../fixtures/processes.ts"
import { builtProgram } from "../fixtures/program.ts"
import { createProject, isRunning } from "../fixtures/project.ts"

const program = [builtProgram()]
// Where brokers listen when their folder is there already. In a folder of that name in /tmp it would be looked at first.
const runtime = mkdtempSync("/tmp/at-once-")
mkdirSync(join(runtime, "mcp-exec"), { mode: 0o700 })
const env = { XDG_RUNTIME_DIR: runtime }
afterAll(() => rmSync(runtime, { recursive: true }))

const tellStart = 'const words = (await Bun.file("/proc/self/cmdline").text()).split("\\0")\n'
const atOnce = `${tellStart}const atOnce = !words.includes("--when-served") && !(await Bun.file(process.env.MCP_EXEC_BROKER).exists())\n`

async function exec(files: Record<string, string>, words: string[]) {
  using project = createProject({ files, daemon: false })
  return await project.run(["exec", ...words], { program, env })
}

describe.if(process.platform === "linux")("a script without a configuration", () => {
  test("runs before anybody listens for it", async () => {
    const { stdout } = await exec({ "tell.ts": `${atOnce}console.log(atOnce, ...process.argv.slice(2))` }, [
      "tell.ts",
      "--x",
      "",
    ])
    expect(stdout).toBe("true --x \n")
    expect(readdirSync(join(runtime, "mcp-exec"))).toEqual([])
  })

  test.each([
    ["a code", "process.exit(7)", 7],
    ["an error", 'throw new Error("of the script")', 1],
    ["a signal", 'process.kill(process.pid, "SIGKILL")', 137],
    ["a signal, later", 'await Bun.sleep(60); process.kill(process.pid, "SIGTERM")', 143],
    ["a code, later", "await Bun.sleep(60); process.exit(7)", 7],
  ])("ends the program with %s", async (_, code, expected) => {
    const finished = await exec({ "end.ts": code }, ["end.ts"])
    expect(finished.code).toBe(expected)
    if (expected === 1) expect(finished.stderr).toContain("of the script")
  })

  test("is answered when it asks, soon or late", async () => {
    const ask = 'const code = await callTool("a", "b", {}).catch((error) => error.code)\n'
    const script = `import { callTool } from "mcp-exec"\n${ask}await Bun.sleep(60)\nconsole.log(code, await callTool("a", "b").catch((error) => error.code))`
    const { stdout } = await exec({ "ask.ts": script }, ["ask.ts"])
    expect(stdout).toBe("E_SERVER_UNKNOWN E_SERVER_UNKNOWN\n")
  })

  test("runs once, whatever it does to its file or beside it", async () => {
    using project = createProject({
      files: {
        "odd.ts": `import { appendFileSync, unlinkSync, writeFileSync } from "node:fs"
          appendFileSync("ran", "x")
          unlinkSync("odd.ts")
          writeFileSync("mcp_config.json", '{"sandbox":{"enabled":true}}')
          await Bun.sleep(60)
          console.log("done")`,
      },
      daemon: false,
    })
    const { code, stdout, stderr } = await project.run(["exec", "odd.ts"], { program, env })
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "done\n", stderr: "" })
    expect(await Bun.file(project.path("ran")).text()).toBe("x")
  })

  test("leaves no process behind", async () => {
    const script = 'const left = Bun.spawn(["sleep", "100"]); left.unref(); console.log(left.pid)'
    const { stdout } = await exec({ "leave.ts": script }, ["leave.ts"])
    expect(await isRunning(Number(stdout))).toBe(false)
  })

  test.each(["SIGINT", "SIGTERM"] as const)("hears of %s, once", async (signal) => {
    using project = createProject({
      files: {
        "wait.ts": `let heard = 0
          process.on("${signal}", () => { heard++; setTimeout(() => { console.log("heard", heard); process.exit(3) }, 100) })
          await Bun.write("ready", "")
          setInterval(() => {}, 1000)`,
      },
      daemon: false,
    })
    const running = project.start(["exec", "wait.ts"], { program, env })
    await eventually(() => existsSync(project.path("ready")))
    running.kill(signal)
    const { code, stdout } = await running.finished
    expect({ code, stdout }).toEqual({ code: 3, stdout: "heard 1\n" })
  })

  test("ends with the program, whenever that is told to", async () => {
    const waits = { files: { "wait.ts": "setInterval(() => {}, 1000)" }, daemon: false }
    for (const afterMs of [2, 4, 6, 8, 10, 12, 14, 16, 20, 30]) {
      using project = createProject(waits)
      const running = project.start(["exec", "wait.ts"], { program, env })
      await Bun.sleep(afterMs)
      running.kill("SIGTERM")
      expect((await running.finished).code).toBe(143)
      await nobodyRuns(project.path("wait.ts"))
    }
  })

  test.each([
    ["a configuration that is empty", { "mcp_config.json": "" }],
    ["an invalid one", { ".mcp.json": "{" }],
  ])("does not begin when there is %s after all", async (_, files) => {
    const script = 'import { writeFileSync } from "node:fs"; writeFileSync("ran", "")'
    using project = createProject({ files: { "mark.ts": script, ...files }, daemon: false })
    const { code } = await project.run(["exec", "mark.ts"], { program, env })
    expect(code).toBe(3)
    expect(readdirSync(project.directory)).not.toContain("ran")
  })
})
