// The process of a script is started before it is known whether it may run. Nobody may see a difference.
import { describe, expect, test } from "bun:test"
import { readdirSync } from "node:fs"
import { eventually } from "../fixtures/eventually.ts"
import { nobodyRuns } from "../fixtures/processes.ts"
import { builtProgram } from "../fixtures/program.ts"
import { createProject, isRunning, type Project } from "../fixtures/project.ts"

const program = [builtProgram()]

/** Tells how its process was started, and what its processes will be given. */
const tellAll = `const words = (await Bun.file("/proc/self/cmdline").text()).split("\\0")
const environ = (await Bun.file("/proc/self/environ").text()).split("\\0").filter((line) => line !== "").sort()
console.log(JSON.stringify({ ahead: words.includes("--when-served"), argv: process.argv.slice(2), cwd: process.cwd(), environ }))`

/** With something that keeps it from running in the program's own process. */
const mark = 'process.env\nawait Bun.write("ran", "")'

interface Told {
  ahead: boolean
  argv: string[]
  cwd: string
  environ: string[]
}

async function tell(project: Project, words: string[], env: Record<string, string> = {}): Promise<Told> {
  const { stdout, stderr, code } = await project.run(["exec", ...words], { program, env })
  if (code !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}

/** What differs in every run. */
function comparable(environ: string[]): string[] {
  return environ.map((line) => line.replace(/^(MCP_EXEC_(?:TOKEN|BROKER))=.*/, "$1"))
}

describe.if(process.platform === "linux")("a script that is started ahead", () => {
  test.each([
    ["without a configuration", {}],
    ["with one", { config: {} }],
    ["with a server", { servers: { files: { type: "builtin", name: "filesystem" } } }],
  ])("has what it would have otherwise, %s", async (_, input) => {
    using project = createProject({ files: { "tell.ts": tellAll }, ...input })
    const env = { SECRET: "shell", LANG: "C.UTF-8", MCP_EXEC_OWN: "mine", API_KEY: "k" }
    const ahead = await tell(project, ["tell.ts", "--env", "x", ""], env)
    // An option is a doubt.
    const otherwise = await tell(project, ["--quiet", "./tell.ts", "--env", "x", ""], env)
    expect([ahead.ahead, otherwise.ahead]).toEqual([true, false])
    expect(ahead.argv).toEqual(["--env", "x", ""])
    expect({ ...ahead, ahead: false, environ: comparable(ahead.environ) }).toEqual({
      ...otherwise,
      environ: comparable(otherwise.environ),
    })
    expect(ahead.environ.join()).not.toContain("shell")
  })

  test("may do without the daemon", async () => {
    using project = createProject({ files: { "tell.ts": tellAll }, config: {} })
    const { ahead, argv } = await tell(project, ["--no-daemon", "tell.ts", "--no-daemon"])
    expect({ ahead, argv }).toEqual({ ahead: true, argv: ["--no-daemon"] })
  })

  test("is given up for what the configuration adds to its environment", async () => {
    using project = createProject({ files: { "tell.ts": tellAll }, config: { exec: { env: ["API_*"] } } })
    const { ahead, environ } = await tell(project, ["tell.ts"], { API_KEY: "k" })
    expect(ahead).toBe(false)
    expect(environ).toContain("API_KEY=k")
  })

  test("is given up for another workspace", async () => {
    using project = createProject({ files: { "tell.ts": tellAll }, config: { workspace: "./elsewhere" } })
    const { ahead, environ } = await tell(project, ["tell.ts"])
    expect(ahead).toBe(false)
    expect(environ).toContain(`MCP_EXEC_WORKSPACE=${project.path("elsewhere")}`)
  })

  test("finds the configuration of a folder above", async () => {
    using project = createProject({ files: { "deep/er/tell.ts": tellAll }, config: {} })
    const { stdout } = await project.run(["exec", "tell.ts"], { program, cwd: project.path("deep/er") })
    const told: Told = JSON.parse(stdout)
    expect(told.ahead).toBe(true)
    expect(told.environ).toContain(`MCP_EXEC_WORKSPACE=${project.path("workspace")}`)
  })

  test("does not begin when the configuration is invalid, and leaves no process", async () => {
    using project = createProject({
      files: { "mark.ts": mark, "mcp_config.json": '{"mcpServers": []}' },
    })
    const { code, stderr } = await project.run(["exec", "mark.ts"], { program })
    expect(code).toBe(3)
    expect(stderr).toContain("E_CONFIG_INVALID")
    await nobodyRuns(project.path("mark.ts"))
    expect(readdirSync(project.directory)).not.toContain("ran")
  })

  test("does not begin outside of the sandbox that the configuration asks for", async () => {
    using project = createProject({
      files: { "mark.ts": mark },
      config: { sandbox: { enabled: true } },
    })
    // No engine is found there, so there is no sandbox either.
    const { code, stderr } = await project.run(["exec", "mark.ts"], { program, env: { PATH: "/nowhere" } })
    expect(code).toBe(5)
    expect(stderr).toContain("E_SANDBOX")
    await nobodyRuns(project.path("mark.ts"))
    expect(readdirSync(project.directory)).not.toContain("ran")
  })

  test("leaves no process when there is no such file", async () => {
    using project = createProject()
    const { code, stderr } = await project.run(["exec", "missing.ts"], { program })
    expect(code).toBe(2)
    expect(stderr).toContain("E_SCRIPT_NOT_FOUND")
    await nobodyRuns(project.path("missing.ts"))
  })

  test("ends when who started it is gone", async () => {
    using project = createProject({ files: { "mark.ts": mark } })
    const env = { ...project.envFor([]), MCP_EXEC_BROKER: project.path("nobody") }
    const parent = Bun.spawn(
      ["sh", "-c", '"$0" __run --when-served $$ "$1" & echo $!; wait', program[0] ?? "", project.path("mark.ts")],
      { env, stdout: "pipe" },
    )
    const { value } = await parent.stdout.getReader().read()
    const pid = Number(new TextDecoder().decode(value))
    expect(await isRunning(pid)).toBe(true)
    parent.kill("SIGKILL")
    await eventually(async () => !(await isRunning(pid)))
    expect(readdirSync(project.directory)).not.toContain("ran")
  })

  test("leaves nothing in the private folder", async () => {
    using project = createProject({ files: { "hello.ts": 'process.env\nconsole.log("hello")' } })
    for (let times = 0; times < 3; times++) {
      const { stdout } = await project.run(["exec", "hello.ts"], { program })
      expect(stdout).toBe("hello\n")
    }
    expect(readdirSync(project.path(".cache/run"))).toEqual([])
  })
})
