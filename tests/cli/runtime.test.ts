// Servers on our own Bun, as a user has them.
import { describe, expect, setDefaultTimeout, test } from "bun:test"
import { symlinkSync } from "node:fs"
import { builtProgram } from "../fixtures/program.ts"
import { createProject, repository } from "../fixtures/project.ts"

setDefaultTimeout(120_000)

const memory = { command: "npx", args: ["-y", "@modelcontextprotocol/server-memory"], runtime: "bun" }

/** A project that has installed the packages of this repository. */
function projectWithPackages(servers: Record<string, Record<string, unknown>>) {
  const project = createProject({ servers })
  symlinkSync(`${repository}/node_modules`, project.path("node_modules"))
  return project
}

describe("a server with runtime bun", () => {
  test("is called, listed and examined, and each says what it runs on", async () => {
    using project = projectWithPackages({ memory: { ...memory, env: { MEMORY_FILE_PATH: "./graph.jsonl" } } })
    const call = await project.run(["call", "memory.read_graph"])
    expect({ ...call, stdout: JSON.parse(call.stdout) }).toMatchObject({ code: 0, stdout: { entities: [] } })
    const servers = await project.run(["servers"])
    expect(servers.stdout).toMatch(/memory +stdio, bun +npx -y @modelcontextprotocol\/server-memory/)
    const json = JSON.parse((await project.run(["servers", "--json"])).stdout)
    expect(json.servers).toMatchObject([{ name: "memory", transport: "stdio", runtime: "bun" }])
    expect((await project.run(["doctor"])).stdout).toContain("on mcp-exec's own Bun")
  })

  test("needs neither Node nor npx where the binary is all there is", async () => {
    using project = projectWithPackages({ memory })
    const options = { program: [builtProgram()], env: { PATH: "/nowhere" } }
    const call = await project.run(["call", "--json", "memory.read_graph"], options)
    expect(call).toMatchObject({ code: 0, stderr: "" })
    const plain = createProject({ servers: { memory: { ...memory, runtime: undefined } } })
    expect((await plain.run(["call", "memory.read_graph"], options)).stderr).toContain("was not found: npx")
    plain[Symbol.dispose]()
  })

  test("cannot be had where mcp-exec itself runs on Deno", async () => {
    using project = projectWithPackages({ memory })
    const program = [`${repository}/node_modules/.bin/deno`, "run", "-A", `${repository}/src/main.ts`]
    const { HOME = "/tmp", DENO_DIR = `${HOME}/.cache/deno` } = process.env
    const env = { DENO_DIR, NO_COLOR: "1" }
    const { code, stderr } = await project.run(["call", "--no-daemon", "memory.read_graph"], { program, env })
    expect(code).toBe(3)
    expect(stderr).toContain("mcp-exec has no Bun where it runs on Node or Deno")
    expect(stderr).toContain("hint: Use the mcp-exec binary, or remove `runtime` from server 'memory'.")
  })

  test("is a mistake in the configuration when it is no JavaScript", async () => {
    using project = createProject({ servers: { one: { command: "uvx", args: ["mcp-server-git"], runtime: "bun" } } })
    for (const args of [["servers"], ["call", "one.x"]]) {
      const { code, stdout, stderr } = await project.run(args)
      expect({ code, stdout }).toEqual({ code: 3, stdout: "" })
      expect(stderr).toContain("error[E_CONFIG_INVALID]")
      expect(stderr).toContain('mcpServers.one.runtime: "bun" runs JavaScript only, and the command "uvx"')
      expect(stderr).toContain("hint: ")
    }
  })
})
