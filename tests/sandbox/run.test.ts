import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { chownSync, existsSync, readdirSync } from "node:fs"
import { createProject, type StartOptions, waitForOutput } from "../fixtures/project.ts"
import { builtProgram, type EngineName, engines, sandboxEnv } from "./program.ts"

const slow = 60_000

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
  afterAll(() => project[Symbol.dispose]())

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
    "reads state, and says how to keep it when the workspace is not writable",
    async () => {
      const text = `import { state } from "mcp-exec"
        console.log(await state.get("a")); await state.set("a", 1); console.log(await state.get("a"))`
      const refused = await code(text)
      expect(refused).toMatchObject({ code: 1, stdout: "undefined\n" })
      expect(refused.stderr).toContain("run it with --workspace rw")
      const without = await code(text, "--workspace", "none")
      expect(without).toMatchObject({ code: 1, stdout: "undefined\n" })
      expect(without.stderr).toContain("No state can be kept: this sandbox shows no workspace")
      if (process.getuid?.() === 0) chownSync(project.path("workspace"), 65534, 65534)
      expect(await code(text, "--workspace", "rw")).toEqual({ code: 0, stdout: "undefined\n1\n", stderr: "" })
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
    "leaves nothing behind when mcp-exec is killed",
    async () => {
      const running = project.start(["exec", "--sandbox", "-e", 'console.log("up"); while (true) {}'], options())
      await waitForOutput(running, "up")
      expect(await containersOf(runtime, running.pid)).toHaveLength(1)
      running.kill("SIGKILL")
      await eventually(async () => (await containersOf(runtime, running.pid)).length === 0)
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
      await eventually(async () => (await containersOf(runtime, running.pid)).length === 0)
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

async function containersOf(engine: EngineName, pid: number): Promise<string[]> {
  const args = ["ps", "--all", "--filter", `label=mcp-exec=${pid}`, "--format", "{{.Names}}"]
  const { stdout } = Bun.spawnSync([engine, ...args])
  return stdout
    .toString()
    .split("\n")
    .filter((name) => name !== "")
}

function placesOf(pid: number): string[] {
  const folder = `${sandboxEnv().MCP_EXEC_CACHE_DIR}/run`
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith(`${pid}.`)) : []
}

async function eventually(holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 10_000
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error("it did not happen within ten seconds")
    await Bun.sleep(50)
  }
}
