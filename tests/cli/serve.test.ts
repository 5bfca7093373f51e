// What is wrong with a wish to serve is said before anybody can connect.
import { afterAll, describe, expect, test } from "bun:test"
import { chmodSync } from "node:fs"
import { createProject } from "../fixtures/project.ts"
import { startHttp } from "../server/served.ts"

const good = "0123456789abcdef0123456789abcdef"
const project = createProject({ files: { short: "short\n", open: good, empty: "", good } })
afterAll(() => project[Symbol.dispose]())
for (const name of ["short", "empty", "good"]) chmodSync(project.path(name), 0o600)
chmodSync(project.path("open"), 0o644)

interface Case {
  name: string
  args: string[]
  env?: Record<string, string>
  message: string
  hint: string
}

const cases: Case[] = [
  ...["0.0.0.0:0", "[::]:0", "192.0.2.1:0", "box.example:0"].map((address) => ({
    name: `no token on ${address}`,
    args: ["--http", address],
    message: "lets other machines in, and needs a token",
    hint: "--token-file FILE or MCP_EXEC_SERVE_TOKEN",
  })),
  ...["short", "empty"].map((file) => ({
    name: `a token file that is ${file}`,
    args: ["--http", "0", "--token-file", file],
    message: "needs a better token",
    hint: "at least 16 characters",
  })),
  {
    name: "a variable with a token that can be guessed",
    args: ["--http", "0.0.0.0:0"],
    env: { MCP_EXEC_SERVE_TOKEN: "guess me" },
    message: "needs a better token",
    hint: "openssl rand",
  },
  { name: "a token file that others read", args: ["--token-file", "open"], message: "Others can read", hint: "chmod" },
  { name: "a token file that is not there", args: ["--token-file", "no"], message: "no token file", hint: "openssl" },
  ...["", ":0", "70000", "port", "1.2.3.4", "localhost:http", "-1"].map((address) => ({
    name: `the address "${address}"`,
    args: [`--http=${address}`],
    message: `--http takes a port, or host:port, not "${address}"`,
    hint: "--http 8080",
  })),
]

describe("serve refuses", () => {
  for (const { name, args, env = {}, message, hint } of cases) {
    test(name, async () => {
      const { code, stdout, stderr } = await project.run(["serve", ...args], { env, stdin: "" })
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
      const [first, ...rest] = stderr.split("\n")
      expect(first).toStartWith("error[E_USAGE]: ")
      expect(first).toContain(message)
      expect(rest.join("\n")).toContain(hint)
      expect(stderr).not.toContain(good)
    })
  }

  test("a port that somebody else has", async () => {
    using other = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() })
    const { code, stderr } = await project.run(["serve", "--http", String(other.port)])
    expect(code).toBe(2)
    expect(stderr).toContain(`cannot listen on 127.0.0.1:${other.port}`)
    expect(stderr).toContain("hint: Give another port")
  })
})

test("on this machine alone no token is needed", async () => {
  await using server = await startHttp(project)
  expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/)
  expect((await fetch(server.url)).status).not.toBe(401)
  expect(await server.end()).toBe(143)
  expect(await server.stdout).toBe("")
})
