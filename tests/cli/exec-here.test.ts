// A script of which nobody can tell in which process it runs, runs in the program's own. Nobody may see a difference.
import { describe, expect, test } from "bun:test"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { eventually } from "../fixtures/eventually.ts"
import { nobodyRuns } from "../fixtures/processes.ts"
import { builtProgram } from "../fixtures/program.ts"
import { createProject, isRunning, type ProjectInput, waitForOutput } from "../fixtures/project.ts"

const program = [builtProgram()]
// Until it is told to go on.
const pause = 'console.log("ready")\nwhile (!(await Bun.file("go").exists())) await Bun.sleep(5)\n'

/** How many processes the program has while the script runs, and how it ends. */
async function processesOf(input: ProjectInput, words: string[], env: Record<string, string> = {}) {
  using project = createProject({ daemon: false, ...input })
  // Leaves a receipt, if there is a configuration.
  await Bun.sleep(110)
  await project.run(["exec", "-e", "1"], { program, env })
  const running = project.start(["exec", ...words], { program, env })
  await waitForOutput(running, "ready")
  const children = readFileSync(`/proc/${running.pid}/task/${running.pid}/children`, "utf8").trim().split(/\s+/)
  project.write({ go: "" })
  const { code, stderr } = await running.finished
  return { children: children.filter((pid) => pid !== "").length > 0, code, stderr }
}

const here = { children: false, code: 0, stderr: "" }
const elsewhere = { children: true, code: 0, stderr: "" }

describe.if(process.platform === "linux")("a lone script", () => {
  test.each([
    ["without a configuration", { files: { "lone.ts": pause } }],
    ["with one that is known", { files: { "lone.ts": pause }, config: { exec: { env: ["A"] } } }],
    ["with servers", { files: { "lone.ts": pause }, servers: { echo: { type: "builtin", name: "echo" } } }],
  ])("runs in the program's process %s", async (_, input) => {
    expect(await processesOf(input, ["lone.ts", "--x"])).toEqual(here)
    expect(await processesOf(input, ["--no-daemon", "./lone.ts"])).toEqual(here)
    expect(await processesOf(input, ["-e", pause, "x"])).toEqual(here)
  })

  test.each([
    ["is not alone", `process.env.A\n${pause}`, ["lone.ts"], {}],
    ["is started with an option", pause, ["--env", "A=1", "lone.ts"], {}],
    ["is code with an option", pause, ["-e", pause, "--quiet"], {}],
    ["is a skill", pause, ["skills/lone.ts"], {}],
    ["finds a runtime that is told something", pause, ["lone.ts"], { NO_COLOR: "1" }],
    ["is started by another script", pause, ["lone.ts"], { MCP_EXEC_BROKER: "/nowhere", MCP_EXEC_REPORT: "1" }],
  ])("has a process of its own when it %s", async (_, text, words, env) => {
    expect(await processesOf({ files: { "lone.ts": text, "skills/lone.ts": text } }, words, env)).toEqual(elsewhere)
  })

  test("is stopped by the configuration's timeout", async () => {
    using project = createProject({ files: { "spin.ts": "while (true) {}" }, config: { exec: { timeout: 0.3 } } })
    const { code, stderr } = await project.run(["exec", "spin.ts"], { program })
    expect(code).toBe(124)
    expect(stderr).toContain("E_SCRIPT_TIMEOUT")
  })

  test("leaves the configuration's warnings to be told", async () => {
    using project = createProject({ files: { "a.ts": "console.log(1)" }, config: { exec: { timeuot: 1 } } })
    for (let times = 0; times < 2; times++) {
      await Bun.sleep(110)
      const { code, stdout, stderr } = await project.run(["exec", "a.ts"], { program })
      expect({ code, stdout }).toEqual({ code: 0, stdout: "1\n" })
      expect(stderr).toContain("timeuot")
    }
  })

  test.each([
    ["that is empty", { "mcp_config.json": "" }],
    ["that is invalid", { ".mcp.json": "{" }],
  ])("does not begin when there is a configuration %s", async (_, files) => {
    using project = createProject({ files: { "mark.ts": 'await Bun.write("ran", "")', ...files }, daemon: false })
    const { code } = await project.run(["exec", "mark.ts"], { program })
    expect(code).toBe(3)
    expect(readdirSync(project.directory)).not.toContain("ran")
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
    const running = project.start(["exec", "wait.ts"], { program })
    await eventually(() => existsSync(project.path("ready")))
    running.kill(signal)
    const { code, stdout } = await running.finished
    expect({ code, stdout }).toEqual({ code: 3, stdout: "heard 1\n" })
  })

  test("ends with the program, whenever that is told to", async () => {
    const waits = { files: { "wait.ts": "setInterval(() => {}, 1000)" }, daemon: false }
    for (const afterMs of [2, 4, 6, 8, 10, 14, 20, 30]) {
      using project = createProject(waits)
      const running = project.start(["exec", "wait.ts"], { program })
      await Bun.sleep(afterMs)
      running.kill("SIGTERM")
      expect((await running.finished).code).toBe(143)
      await nobodyRuns(project.path("wait.ts"))
    }
  })

  test("is needed by no one when it is not alone: what it leaves running ends", async () => {
    using project = createProject({
      files: { "leave.ts": 'const left = Bun.spawn(["sleep", "100"]); left.unref(); console.log(left.pid)' },
      daemon: false,
    })
    const { stdout } = await project.run(["exec", "leave.ts"], { program })
    expect(await isRunning(Number(stdout))).toBe(false)
  })
})

// Each is run twice: as it is, and with an option that makes it a process of its own.
const scripts: Record<string, string> = {
  "prints to both streams": 'console.log({ a: [1, "x"] })\nconsole.error("e")',
  "prints its arguments": "console.log(process.argv.slice(2), process.argv.length, import.meta.main, import.meta.file)",
  "prints much": 'for (let i = 0; i < 20_000; i++) console.log("line", i)',
  "writes without a newline": 'process.stdout.write("no newline")',
  "has a main": "export async function main(...args: string[]) { await Bun.sleep(1); console.log(args) }",
  "has a default function": "export default (...args: string[]) => console.log(args.length)",
  "calls its main itself": 'function main() { console.log("once") }\nif (import.meta.main) main()\nexport { main }',
  "has a main and a forgotten timer": "setInterval(() => {}, 1000)\nexport function main() { console.log(1) }",
  "has a code": "process.exit(7)",
  "sets a code": "process.exitCode = 9",
  "has a main that sets a code": "export function main() { process.exitCode = 4 }",
  throws: 'function deep() {\n  throw new RangeError("too far")\n}\nconsole.log("before")\ndeep()',
  "throws no error": 'throw "text"',
  "throws later": 'setTimeout(() => { throw new Error("later") }, 5)',
  "rejects and nobody listens": 'Promise.reject(new Error("unheard"))\nawait Bun.sleep(20)',
  "deals with what it throws":
    'process.on("uncaughtException", () => console.log("dealt with"))\nsetTimeout(() => { throw 1 })',
  "waits for nothing": "await new Promise(() => {})",
  "cannot be read": "const a = ;",
  "has types that are wrong": 'const a: number = "text"\nconsole.log(a)',
  "reads stdin": "console.log((await Bun.stdin.text()).toUpperCase())",
  "says something at its end": 'process.on("exit", (code) => console.log("end", code))',
  "reads a file that is not there": 'await Bun.file("missing").text()',
  "imports what it cannot": 'import { nothing } from "node:fs"\nconsole.log(nothing)',
}

describe.if(process.platform === "linux")("both ways are the same for a script that", () => {
  for (const [name, text] of Object.entries(scripts)) {
    test.concurrent(name, async () => {
      using project = createProject({ files: { "script.ts": text }, daemon: false })
      const args = ["--quiet", "a b", ""]
      const stdin = "typed"
      const file = await Promise.all([
        project.run(["exec", "script.ts", ...args], { program, stdin }),
        project.run(["exec", "--quiet", "script.ts", ...args], { program, stdin }),
      ])
      expect(file[0]).toEqual(file[1])
      const code = await Promise.all([
        project.run(["exec", "-e", text, "--", ...args], { program, stdin }),
        project.run(["exec", "--quiet", "-e", text, "--", ...args], { program, stdin }),
      ])
      expect(code[0]).toEqual(code[1])
    })
  }
})
