// Engines that are missing, broken or weak. A script must never run outside the sandbox it was meant for.
import { afterAll, describe, expect, test } from "bun:test"
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs"
import { eventually } from "../fixtures/eventually.ts"
import { createProject, type StartOptions, waitForOutput } from "../fixtures/project.ts"
import { processesWith } from "./observe.ts"
import { builtProgram, engines, sandboxEnv } from "./program.ts"
import { walledEnv } from "./walled.ts"

const slow = 120_000
const program = [builtProgram()]
const project = createProject({
  config: { sandbox: { enabled: true } },
  files: {
    "a.ts": 'require("node:fs").writeFileSync("ran.txt", "")\nconsole.log("ran")',
    "podman.json": '{"sandbox": {"runtime": "podman"}}',
    "docker.json": '{"sandbox": {"runtime": "docker"}}',
    "empty/.keep": "",
  },
})
afterAll(async () => {
  await project.run(["daemon", "stop"], { program, env: sandboxEnv() })
  project[Symbol.dispose]()
})

/** Only the programs of one folder can be found; every folder has a cache of its own. */
const envOf = (folder: string) => ({ PATH: project.path(folder), MCP_EXEC_CACHE_DIR: project.path(`cache-${folder}`) })

function writeProgram(name: string, lines: string): void {
  project.write({ [name]: `#!/bin/sh\n${lines}\n` })
  chmodSync(project.path(name), 0o755)
}

describe("without an engine", () => {
  const cases = [
    {
      name: "that the configuration asks for",
      args: ["a.ts"],
      want: ["podman is not on the PATH; docker is not", "hint: Install podman"],
    },
    {
      name: "that --sandbox asks for",
      args: ["--config", "docker.json", "--sandbox", "a.ts"],
      want: ["docker is not on the PATH", "hint: Install docker"],
    },
    {
      name: "that is pinned",
      args: ["--config", "podman.json", "--sandbox", "a.ts"],
      want: ["podman is not on the PATH", "--direct"],
    },
  ]
  for (const { name, args, want } of cases) {
    test(`a sandbox ${name} is refused, and nothing runs`, async () => {
      const finished = await project.run(["exec", ...args], { program, env: envOf("empty") })
      expect(finished).toMatchObject({ code: 5, stdout: "" })
      expect(finished.stderr).toStartWith("error[E_SANDBOX]: There is no container engine for the sandbox: ")
      for (const text of want) expect(finished.stderr).toContain(text)
      expect(existsSync(project.path("ran.txt"))).toBe(false)
    })
  }

  test("--direct still runs", async () => {
    const finished = await project.run(["exec", "--direct", "a.ts"], {
      program,
      env: envOf("empty"),
      cwd: project.path("empty/.."),
    })
    expect(finished).toEqual({ code: 0, stdout: "ran\n", stderr: "" })
  })

  test("status says so, and ends with 5", async () => {
    const { code, stdout } = await project.run(["sandbox", "status", "--json"], { program, env: envOf("empty") })
    expect(code).toBe(5)
    expect(JSON.parse(stdout)).toMatchObject({ enabled: true, ok: false, error: { code: "E_SANDBOX" }, containers: [] })
  })
})

describe("an engine that does not work", () => {
  test("is passed over for the next, and each is blamed for its own failure", async () => {
    writeProgram("broken/podman", 'echo "Error: no storage" >&2; exit 125')
    writeProgram("broken/docker", 'echo "Cannot connect to the Docker daemon" >&2; exit 1')
    const finished = await project.run(["exec", "a.ts"], { program, env: envOf("broken") })
    expect(finished).toMatchObject({ code: 5, stdout: "" })
    expect(finished.stderr).toContain("podman is installed but cannot run a container: no storage; ")
    expect(finished.stderr).toContain("docker is installed but cannot run a container: Cannot connect")
  })
})

test("a timeout above the maximum, and limits that make no sense, are told before anything starts", async () => {
  const options = { program, env: envOf("empty") }
  const long = await project.run(["exec", "--timeout", "121", "a.ts"], options)
  expect(long).toMatchObject({ code: 2, stdout: "" })
  expect(long.stderr).toContain("hint: At most 120 s: sandbox.maxTimeout")
  project.write({ "bad.json": '{"sandbox": {"memory": "1m", "pids": 0}}' })
  const bad = await project.run(["exec", "--config", "bad.json", "--sandbox", "a.ts"], options)
  expect(bad).toMatchObject({ code: 3, stdout: "" })
  expect(bad.stderr).toContain("sandbox.pids: found 0")
})

test("a workspace that is none of three words is wrong usage", async () => {
  const { code, stdout, stderr } = await project.run(["exec", "--workspace", "all", "a.ts"], { program })
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
  expect(stderr).toContain('error[E_USAGE]: --workspace takes rw, ro or none, not "all"')
})

describe.if(engines.includes("podman"))("an engine", () => {
  test(
    "is tried out when it is first needed, and not again",
    async () => {
      writeProgram("counted/podman", `echo "$1" >> ${project.path("counted/asked")}\nexec ${Bun.which("podman")} "$@"`)
      project.write({ "counted/asked": "" })
      const env = { ...sandboxEnv(), ...envOf("counted"), PATH: `${project.path("counted")}:${process.env.PATH}` }
      const asked = async () => {
        const lines = (await Bun.file(project.path("counted/asked")).text()).split("\n").filter(Boolean)
        project.write({ "counted/asked": "" })
        return {
          info: lines.filter((line) => line === "info").length,
          run: lines.filter((line) => line === "run").length,
        }
      }
      const exec = (...args: string[]) =>
        project.run(["exec", "--no-daemon", ...args, "-e", 'console.log("ran")'], { program, env })
      expect(await exec("--direct")).toEqual({ code: 0, stdout: "ran\n", stderr: "" })
      expect(await asked()).toEqual({ info: 0, run: 0 })
      const first = await exec()
      expect(first).toMatchObject({ code: 0, stdout: "ran\n" })
      expect(first.stderr).toContain("Trying out what podman can do here…")
      const trials = await asked()
      expect(trials.info).toBe(1)
      expect(trials.run).toBeGreaterThanOrEqual(3)
      expect(await exec()).toEqual({ code: 0, stdout: "ran\n", stderr: "" })
      expect(await asked()).toEqual({ info: 0, run: 1 })
    },
    2 * slow,
  )
})

describe.if(engines.includes("podman"))("an engine that ignores a limit", () => {
  test(
    "is found out, refused, and used only by those who accept it",
    async () => {
      const podman = Bun.which("podman") ?? ""
      // As podman does without root on the first version of cgroups: no limit, no complaint.
      writeProgram(
        "weak/podman",
        `for word; do shift; case "$skip$word" in skip*) skip= ;; --memory|--memory-swap) skip=skip ;; *) set -- "$@" "$word" ;; esac; done
        PATH=${process.env.PATH} exec ${podman} "$@"`,
      )
      const env = { ...sandboxEnv(), ...envOf("weak") }
      const refused = await project.run(["exec", "a.ts"], { program, env })
      expect(refused).toMatchObject({ code: 5, stdout: "" })
      expect(refused.stderr).toContain("error[E_SANDBOX]: The sandbox is weaker here than it should be (podman ")
      expect(refused.stderr).toContain("the memory limit is ignored\nhint: --allow-weaker")
      const accepted = await project.run(["exec", "--allow-weaker", "-e", 'console.log("ran")'], { program, env })
      expect(accepted).toMatchObject({ code: 0, stdout: "ran\n" })
      expect(accepted.stderr).toContain(
        "[WARNING] the sandbox is weaker here than it should be: the memory limit is ignored",
      )
      const status = await project.run(["sandbox", "status"], { program, env })
      expect(status.code).toBe(5)
      expect(status.stdout).toContain("NOT enforced: memory\n")
    },
    2 * slow,
  )
})

for (const runtime of engines) {
  describe(`an engine through which no socket passes, ${runtime}`, () => {
    const env = { ...sandboxEnv(), ...walledEnv(runtime) }
    const config = ["--config", `${runtime}.json`]

    test(
      "is found out, and spoken to over stdin and stdout",
      async () => {
        const { code, stdout } = await project.run(["sandbox", "status", "--json", ...config], { program, env })
        expect({ code, engine: JSON.parse(stdout).engine }).toMatchObject({ code: 0, engine: { channel: "stdio" } })
        const shown = await project.run(["sandbox", "status", ...config], { program, env })
        expect(shown.stdout).toContain("no socket passes through it")
        const open = await project.run(["sandbox", "status", "--json", ...config], { program, env: sandboxEnv() })
        expect(JSON.parse(open.stdout).engine.channel).toBe("socket")
      },
      2 * slow,
    )

    test(
      "loses its container when mcp-exec is killed",
      async () => {
        const mark = crypto.randomUUID()
        const args = ["exec", "--sandbox", ...config, "-e", 'console.log("up"); while (true) {}', mark]
        const running = project.start(args, { program, env })
        await waitForOutput(running, "up")
        expect(processesWith(mark).length).toBeGreaterThan(1)
        running.kill("SIGKILL")
        await eventually(() => processesWith(mark).length === 0)
      },
      slow,
    )
  })
}

describe.if(engines.length > 0)("the commands", () => {
  const options = { program, env: sandboxEnv() }
  const [engine = ""] = engines
  const status = async (how: StartOptions) =>
    JSON.parse((await project.run(["sandbox", "status", "--json"], how)).stdout)

  test(
    "build makes the image, once, and status shows it",
    async () => {
      const built = await project.run(["sandbox", "build", "--json"], options)
      const { image } = JSON.parse(built.stdout)
      expect(image).toMatch(/^localhost\/mcp-exec-sandbox:\d+\.\d+\.\d+-[0-9a-f]{16}$/)
      const { code, stdout } = await project.run(["sandbox", "status", "--json"], options)
      expect(code).toBe(0)
      expect(JSON.parse(stdout)).toMatchObject({ enabled: true, ok: true, engine: { name: engine }, image })
    },
    slow,
  )

  test(
    "prune removes the images of other builds",
    async () => {
      const { image } = await status(options)
      const other = "localhost/mcp-exec-sandbox:0.0.0-0123456789abcdef"
      Bun.spawnSync([engine, "tag", image, other])
      const pruned = JSON.parse((await project.run(["sandbox", "prune", "--json"], options)).stdout)
      expect(pruned.images).toContain(other)
      expect(pruned.images).not.toContain(image)
    },
    2 * slow,
  )

  test(
    "an image that another build has pruned is made again when it is needed",
    async () => {
      const own = { ...options, program: [anotherBuild()] }
      const run = () => project.run(["exec", "--no-daemon", "-e", 'console.log("ran")'], own)
      expect(await run()).toMatchObject({ code: 0, stdout: "ran\n" })
      const { image } = await status(own)
      expect(image).not.toBe((await status(options)).image)
      const isThere = () => Bun.spawnSync([engine, "image", "inspect", image]).exitCode === 0
      await eventually(() => Bun.spawnSync([engine, "rmi", image]).exitCode === 0 || !isThere())
      expect(await run()).toMatchObject({ code: 0, stdout: "ran\n" })
      expect((await status(own)).image).toBe(image)
      Bun.spawnSync([engine, "rmi", image])
    },
    2 * slow,
  )
})

/** The same program with another letter in one of its texts: its image is its own, and no other test needs it. */
function anotherBuild(): string {
  const content = readFileSync(builtProgram())
  content.write("Trying Out what", content.lastIndexOf("Trying out what"))
  writeFileSync(project.path("another-build"), content, { mode: 0o755 })
  return project.path("another-build")
}
