import { afterAll, describe, expect, test } from "bun:test"
import { eventually } from "../fixtures/eventually.ts"
import { createProject, isRunning, type RunningProgram, repository } from "../fixtures/project.ts"
import { createFolder } from "./captured-io.ts"
import { echo, fixture, official } from "./servers-config.ts"

const project = createProject({
  servers: {
    echo,
    hang: fixture("hang"),
    orphans: fixture("orphans"),
    big: fixture("big"),
    everything: official("everything"),
  },
})
afterAll(() => project[Symbol.dispose]())

// Its servers are its own, and end with it.
const alone = { env: { MCP_EXEC_DAEMON: "0" } }

describe("a call", () => {
  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const) {
    test(`is cancelled by ${signal}`, async () => {
      const program = project.start(["call", "hang.hang", "--verbose"], alone)
      const server = await childrenOf(program, "hang")
      // The server is up; the call follows within milliseconds.
      await Bun.sleep(500)
      program.kill(signal)
      const { code: exitCode, stdout, stderr } = await program.finished
      expect({ exitCode, stdout }).toEqual({ exitCode: code, stdout: "" })
      expect(stderr).toContain("error[E_TOOL_CANCELLED]: ")
      for (const pid of server) expect(await isRunning(pid)).toBe(false)
    })
  }

  test("leaves no process of the server behind", async () => {
    const { code, stdout } = await project.run(["call", "orphans.children", "--json"], alone)
    expect(code).toBe(0)
    for (const pid of JSON.parse(stdout)) expect(await isRunning(pid)).toBe(false)
  })

  test("takes arguments from standard input", async () => {
    const { code, stdout } = await project.run(["call", "echo.echo", "--args", "-"], { stdin: '{"text": "grün"}' })
    expect({ code, value: JSON.parse(stdout) }).toEqual({ code: 0, value: { text: "grün" } })
  })

  test("prints a large result to its end", async () => {
    const text = "x".repeat(3_000_000)
    project.write({ "large.txt": text })
    const { code, stdout } = await project.run(["call", "echo.echo", "text=@large.txt"])
    expect(code).toBe(0)
    expect(JSON.parse(stdout).text.length).toBe(text.length)
  })

  test("does not mind a reader that has seen enough", async () => {
    const program = `"${process.execPath}" "${repository}/src/main.ts"`
    const shell = ["/bin/sh", "-c", `${program} call echo.echo text=@large.txt | head -c 5; echo; exit 0`]
    const { stdout, stderr } = await project.run([], { program: shell })
    expect(stdout).toStartWith("{\n")
    expect(stderr).toBe("")
  })
})

test("a check of servers is ended by SIGINT", async () => {
  await using folder = await createFolder({ echo, hang: fixture("silent") })
  const program = project.start(["servers", "--check", "--json"], { cwd: folder.path })
  await childrenOf(program, "silent")
  program.kill("SIGINT")
  const { code, stdout } = await program.finished
  expect(code).toBe(130)
  expect(JSON.parse(stdout)).toMatchObject({ error: { code: "E_TOOL_CANCELLED" } })
})

test("exit codes leave the process", async () => {
  expect((await project.run(["call", "echo.fail", "message=no"])).code).toBe(1)
  expect((await project.run(["bogus"])).code).toBe(2)
  expect((await project.run(["--version"])).code).toBe(0)
})

/** The processes of a fixture server that a program has started, once there are any. */
function childrenOf(program: RunningProgram, server: string): Promise<number[]> {
  const look = () => {
    const { stdout } = Bun.spawnSync(["ps", "-axo", "ppid=,pid=,args="])
    const rows = stdout.toString().matchAll(/^ *(\d+) +(\d+) (.*)$/gm)
    const own = [...rows].filter(
      ([, parent, , args]) => Number(parent) === program.pid && args?.includes(`/${server}.ts`),
    )
    return own.map(([, , pid]) => Number(pid))
  }
  return eventually(look, (pids) => pids.length > 0)
}
