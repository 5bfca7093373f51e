import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { chownSync, readdirSync, rmSync } from "node:fs"
import { eventually } from "../fixtures/eventually.ts"
import { createProject, type StartOptions, waitForOutput } from "../fixtures/project.ts"
import { containersIn, processesWith, procFile, statusOf } from "./observe.ts"
import { builtProgram, type EngineName, engines, sandboxEnv } from "./program.ts"

const slow = 120_000
const runs = `${sandboxEnv().MCP_EXEC_CACHE_DIR}/run`

for (const runtime of engines) describe(`the sandbox of ${runtime}`, () => describeSandbox(runtime))

function describeSandbox(runtime: EngineName) {
  const program = [builtProgram()]
  const project = createProject({
    servers: { echo: { type: "builtin", name: "echo", env: { TOKEN: "in-the-configuration" } } },
    config: { sandbox: { runtime, maxOutput: "1m" }, exec: { env: ["ALLOWED_*"] } },
    files: {
      ".env": "SECRET=in-dotenv",
      "notes.txt": "private",
      "workspace/in.txt": "input",
      "skills/data.txt": "shown",
      "env.ts": "console.log(JSON.stringify(process.env))",
      "imports-config.ts": 'import config from "./mcp_config.json"\nconsole.log(config)',
    },
  })
  const options = (given: StartOptions = {}): StartOptions => ({
    program,
    ...given,
    env: { ...sandboxEnv(), ...given.env },
  })
  const exec = (args: string[], given?: StartOptions) => project.run(["exec", "--sandbox", ...args], options(given))
  const code = (text: string, ...flags: string[]) => exec([...flags, "-e", text])
  /** Of code that prints one JSON value. */
  const printed = async (text: string, ...flags: string[]) => {
    const { stdout, stderr } = await code(text, ...flags)
    expect(stderr).toBe("")
    return JSON.parse(stdout)
  }

  beforeAll(async () => {
    expect(await project.run(["sandbox", "build"], options())).toMatchObject({ code: 0 })
  }, slow)
  afterAll(async () => {
    await project.run(["daemon", "stop"], options())
    project[Symbol.dispose]()
  }, slow)

  test(
    "gives a script the allow-list of variables and nothing of the host's",
    async () => {
      const env = { GITHUB_TOKEN: "t", HTTPS_PROXY: "http://u:p@proxy", ALLOWED_A: "1", MCP_EXEC_MINE: "2", LANG: "C" }
      const { stdout } = await exec(["--env", "X=a=b", "--env", "HOME=/workspace", "env.ts"], { env })
      expect(JSON.parse(stdout)).toEqual({
        ALLOWED_A: "1",
        HOME: "/workspace",
        LANG: "C",
        MCP_EXEC_BROKER: "/run/mcp-exec/b",
        MCP_EXEC_SCRATCH: "/workspace",
        MCP_EXEC_TOKEN: expect.any(String),
        MCP_EXEC_WORKSPACE: project.path("workspace"),
        PATH: "/usr/local/bin:/usr/bin:/bin",
        X: "a=b",
      })
    },
    slow,
  )

  test(
    "shows nothing of the project but servers, skills, packages and the workspace",
    async () => {
      const text = `import { readdirSync } from "node:fs"
        console.log(JSON.stringify([process.cwd(), readdirSync(".").sort(), readdirSync("skills")]))`
      expect(await printed(text)).toEqual([project.directory, ["skills", "workspace"], ["data.txt"]])
      const { code: exitCode, stdout } = await exec(["imports-config.ts"])
      expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" })
    },
    slow,
  )

  test(
    "keeps its first process closed, and cannot be ended from inside",
    async () => {
      const text = `import { readFileSync, writeFileSync } from "node:fs"
        const attempt = (work) => { try { work(); return "done" } catch (error) { return error.code } }
        const tries = ["mem", "environ", "maps"].map((name) => attempt(() => readFileSync("/proc/1/" + name)))
        process.kill(1, "SIGKILL"); process.kill(1, "SIGTERM")
        await Bun.sleep(100)
        console.log(JSON.stringify([...tries, attempt(() => writeFileSync("/proc/1/mem", "x")), process.getuid()]))`
      expect(await printed(text)).toEqual(["EACCES", "EACCES", "EACCES", "EACCES", 65534])
    },
    slow,
  )

  test(
    "lets a script write to its scratch alone",
    async () => {
      const text = `import { writeFileSync } from "node:fs"
        import { scratch, workspace } from "mcp-exec"
        const attempt = (path) => { try { writeFileSync(path, "x"); return "done" } catch (error) { return error.code } }
        console.log(JSON.stringify([scratch + "/a", "/tmp/a", workspace + "/a", "skills/a", "/a", "/etc/a"].map(attempt)))`
      expect(await printed(text)).toEqual(["done", "done", "EROFS", "EROFS", "EROFS", "EROFS"])
      expect(readdirSync(project.path("workspace"))).toEqual(["in.txt"])
    },
    slow,
  )

  test(
    "shows the workspace as it is asked to",
    async () => {
      const read = `import { readdirSync } from "node:fs"; import { workspace } from "mcp-exec"
        console.log(JSON.stringify([workspace, readdirSync(workspace).filter((name) => !name.startsWith("."))]))`
      expect(await printed(read)).toEqual([project.path("workspace"), ["in.txt"]])
      expect(await printed(read, "--workspace", "none")).toEqual(["/workspace", []])
      expect(await code(read, "--workspace", "all")).toMatchObject({ code: 2, stdout: "" })
      if (process.getuid?.() === 0) chownSync(project.path("workspace"), 65534, 65534)
      const write = `import { workspace } from "mcp-exec"; await Bun.write(workspace + "/out.txt", "written")`
      expect(await code(write, "--workspace=rw")).toEqual({ code: 0, stdout: "", stderr: "" })
      expect(await Bun.file(project.path("workspace/out.txt")).text()).toBe("written")
    },
    slow,
  )

  test(
    "keeps state whatever it shows of the workspace, for the script itself alone",
    async () => {
      const text = `import { skill, state } from "mcp-exec"
        await state.set("count", ((await state.get("count")) ?? 0) + 1)
        console.log(await state.get("count"), await state.list(), await state.delete("none"))
        const other = skill({ name: "other", description: "x" }, (_, { state }) => state.get("count"))
        await other.run({}).catch((error) => console.log(error.code))
        await state.set("large", "x".repeat(1_000_001)).catch((error) => console.log(error.code))
        await state.set("none", undefined).catch((error) => console.log(error.code))`
      const want = (count: number) => `${count} [ "count" ] false\nE_STATE\nE_STATE\nE_STATE\n`
      for (const [index, flags] of [[], ["--workspace", "none"], ["--workspace", "ro"]].entries()) {
        expect(await code(text, ...flags)).toEqual({ code: 0, stdout: want(index + 1), stderr: "" })
      }
      expect(readdirSync(project.path("workspace/.state"))).toEqual([expect.stringMatching(/^-eval-\./)])
      rmSync(project.path("workspace/.state"), { recursive: true })
    },
    slow,
  )

  test(
    "ends a script that uses too much memory, and names the limit",
    async () => {
      const text = 'console.log("so far"); const all = []; while (true) all.push(new Uint8Array(1 << 24).fill(1))'
      const { code: exitCode, stdout, stderr } = await code(text)
      expect({ exitCode, stdout }).toEqual({ exitCode: 137, stdout: "so far\n" })
      expect(stderr).toContain(
        "error[E_SCRIPT_MEMORY]: The script was killed: it used more memory than its limit of 512 MB",
      )
    },
    slow,
  )

  test(
    "cuts output that is too long, tells the user, and tells the script",
    async () => {
      const text = `process.stdout.on("error", (error) => process.exit(error.code === "EPIPE" ? 7 : 8))
        const piece = "x".repeat(65536)
        for (let count = 0; count < 10_000; count++) { process.stdout.write(piece); await Bun.sleep(0) }`
      const { code: exitCode, stdout, stderr } = await code(text)
      expect({ exitCode, length: stdout.length, stderr }).toEqual({
        exitCode: 7,
        length: 1 << 20,
        stderr: "\n[ERROR] The script's output was cut after 1 MB\n",
      })
    },
    slow,
  )

  test(
    "ends a container at its timeout that answers to nobody any more",
    async () => {
      const mark = crypto.randomUUID()
      const text = 'console.log("so far"); setInterval(() => {}, 1000)'
      const running = project.start(["exec", "--sandbox", "--timeout", "10", "-e", text, mark], options())
      await waitForOutput(running, "so far")
      const script = processesWith(mark).find((pid) => procFile(pid, "cmdline").includes("__run"))
      const box = Number(statusOf(script ?? 0).PPid)
      expect(procFile(box, "cmdline")).toContain("__box")
      process.kill(box, "SIGSTOP")
      const finished = await running.finished
      expect(finished).toMatchObject({ code: 124, stdout: "so far\n" })
      expect(finished.stderr).toContain("error[E_SCRIPT_TIMEOUT]: The script was stopped after 10 s")
      await eventually(() => processesWith(mark).length === 0)
    },
    slow,
  )

  test(
    "leaves nothing behind when mcp-exec is killed",
    async () => {
      const running = project.start(["exec", "--sandbox", "-e", 'console.log("up"); while (true) {}'], options())
      await waitForOutput(running, "up")
      const names = placesOf(running.pid).map((place) => `mcp-exec-${place.slice(place.lastIndexOf(".") + 1)}`)
      const alive = () => containersIn(runtime, runs).filter((name) => names.includes(name))
      expect(alive()).toHaveLength(1)
      running.kill("SIGKILL")
      await eventually(() => alive().length === 0)
      expect((await code("1")).code).toBe(0)
      expect(placesOf(running.pid)).toEqual([])
    },
    slow,
  )

  test(
    "leaves nothing behind after an ordinary run",
    async () => {
      const running = project.start(
        ["exec", "--sandbox", "-e", 'Bun.spawn([process.execPath, "__run", "/x"])'],
        options(),
      )
      await running.finished
      expect(placesOf(running.pid)).toEqual([])
      const isWanted = (name: string) =>
        readdirSync(runs).some((place) => place.endsWith(name.replace("mcp-exec-", ".")))
      await eventually(() => containersIn(runtime, runs).every(isWanted))
    },
    slow,
  )

  test(
    "uses a configured image, with the program mounted into it",
    async () => {
      const status = await project.run(["sandbox", "status", "--json"], options())
      const { image } = JSON.parse(status.stdout)
      project.write({ "other.json": JSON.stringify({ sandbox: { runtime, image } }) })
      const text =
        'console.log(require("node:fs").readFileSync("/proc/self/mountinfo", "utf8").includes(" /bin/mcp-exec ro"))'
      const finished = await code(text, "--config", "other.json")
      expect(finished).toEqual({ code: 0, stdout: "true\n", stderr: "" })
      project.write({ "other.json": JSON.stringify({ sandbox: { runtime, image: "localhost/there-is-none:1" } }) })
      const missing = await code("1", "--config", "other.json")
      expect(missing).toMatchObject({ code: 5, stdout: "" })
      expect(missing.stderr).toContain(`hint: ${runtime} pull localhost/there-is-none:1`)
    },
    slow,
  )
}

function placesOf(pid: number): string[] {
  return readdirSync(runs).filter((name) => name.startsWith(`${pid}.`))
}
