import { describe, expect, test } from "bun:test"
import { writeFileSync } from "node:fs"
import { createProject } from "../../fixtures/project.ts"
import { startHttp } from "../../server/served.ts"

const token = "0123456789abcdef"

describe("serve", () => {
  const wrong = [
    { args: ["--http", "eighty"], message: '--http takes a port, or host:port, not "eighty"' },
    { args: ["--http", "70000"], message: "--http takes a port" },
    { args: ["--http", "0.0.0.0:0"], message: "Serving on 0.0.0.0 lets other machines in, and needs a token" },
    { args: ["--http", "[::]:0"], message: "Serving on :: lets other machines in" },
    { args: ["--http", "0", "--token-file", "missing"], message: "There is no token file" },
    { args: ["--http", "0", "--token-file", "open"], message: "Others can read the token file" },
    { args: ["--http", "0", "--token-file", "short"], message: "at least 16 characters" },
    { args: ["--http", "192.0.2.1:1"], env: { MCP_EXEC_SERVE_TOKEN: token }, message: "cannot listen on 192.0.2.1:1" },
    { args: ["extra"], message: "Too many arguments" },
  ]
  for (const { args, env, message } of wrong) {
    test(`refuses ${args.join(" ")}`, async () => {
      using project = createProject()
      writeFileSync(project.path("open"), token, { mode: 0o644 })
      writeFileSync(project.path("short"), "abc", { mode: 0o600 })
      const { code, stdout, stderr } = await project.run(["serve", ...args], { ...(env && { env }) })
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
      expect(stderr).toContain(message)
      expect(stderr).toContain("hint: ")
    })
  }

  test("says where it listens, on stderr", async () => {
    using project = createProject()
    await using server = await startHttp(project)
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/)
    expect(await server.end()).toBe(143)
    expect(await server.stdout).toBe("")
  })

  test("ends well when there is nobody at the other end", async () => {
    using project = createProject()
    expect(await project.run(["serve"])).toEqual({ code: 0, stdout: "", stderr: "" })
  })

  test("says in its help how to use it", async () => {
    using project = createProject()
    const { stdout } = await project.run(["serve", "--help"])
    for (const word of ["--http", "--token-file", "MCP_EXEC_SERVE_TOKEN", "Examples:"]) expect(stdout).toContain(word)
  })
})
