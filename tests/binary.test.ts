// The program as it is shipped: one file, alone in a folder, on a machine where nothing else is installed.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import manifest from "../package.json" with { type: "json" }
import { builtProgram } from "./fixtures/program.ts"
import { createProject, type Finished, type Project, type StartOptions } from "./fixtures/project.ts"
import { canWatch, strace } from "./fixtures/strace.ts"

const root = mkdtempSync(join(tmpdir(), "mcp-exec-binary-"))
// Spaces, because a path that is passed on unquoted would break on them.
const binary = join(root, "only this file", "mcp-exec")
let project: Project
let page: ReturnType<typeof Bun.serve>

beforeAll(() => {
  mkdirSync(join(root, "only this file"))
  copyFileSync(builtProgram(), binary)
  page = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () => new Response("<h1>Title</h1><p>Some <b>text</b>.</p>", { headers: { "content-type": "text/html" } }),
  })
  project = createProject({
    servers: {
      echo: { type: "builtin", name: "echo" },
      files: { type: "builtin", name: "filesystem", args: ["./workspace"] },
      memory: { type: "builtin", name: "memory" },
      web: { type: "builtin", name: "fetch", args: ["--allow-private"] },
    },
    files: { "workspace/note.txt": "a note\n" },
  })
}, 120_000)
afterAll(() => {
  page.stop(true)
  project[Symbol.dispose]()
  rmSync(root, { recursive: true })
})

/** Runs the binary where no runtime, no package and no cache of this repository can be found. */
function run(args: string[], options: StartOptions = {}, where: Project = project): Promise<Finished> {
  return where.run(args, { program: [binary], ...options, env: { PATH: "/usr/bin:/bin", ...options.env } })
}

const fine = (stdout: string) => ({ code: 0, stdout, stderr: "" })

describe("the binary alone", () => {
  test("knows its version and its commands", async () => {
    expect(await run(["--version"])).toEqual(fine(`${manifest.version}\n`))
    const help = await run(["--help"])
    expect(help).toMatchObject({ code: 0, stderr: "" })
    for (const command of ["exec", "call", "servers", "tools", "doctor"]) expect(help.stdout).toContain(command)
  })

  test("runs a TypeScript file with its arguments", async () => {
    project.write({ "hello.ts": "const [name]: string[] = process.argv.slice(2)\nconsole.log('hello', name)" })
    expect(await run(["exec", "hello.ts", "--you"])).toEqual(fine("hello --you\n"))
  })

  test("runs a script against every server it carries", async () => {
    project.write({
      "all.ts": `import { callTool, listServers, workspace } from "mcp-exec"
        const entity = { name: "Ada", entityType: "person", observations: ["wrote notes"] }
        const [sum, note, , page] = await Promise.all([
          callTool<{ sum: number }>("echo", "add", { a: 1, b: 2 }),
          callTool<{ content: string }>("files", "read_text_file", { path: workspace + "/note.txt" }),
          callTool("memory", "create_entities", { entities: [entity] }),
          callTool<{ content: string }>("web.fetch", { url: process.argv[2] }),
        ])
        const graph = await callTool<{ entities: { name: string }[] }>("memory__read_graph")
        const names = (await listServers()).map((server) => server.name)
        console.log(JSON.stringify([sum.sum, note.content, page.content.includes("Some **text**."), graph.entities[0].name, names]))`,
    })
    const { code, stdout, stderr } = await run(["exec", "all.ts", page.url.href])
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    expect(JSON.parse(stdout)).toEqual([3, "a note\n", true, "Ada", ["echo", "files", "memory", "web"]])
  })

  test("runs code from the command line and from stdin", async () => {
    expect(await run(["exec", "-e", "console.log(1 as number)"])).toEqual(fine("1\n"))
    const stdin = "const two: number = 2\nconsole.log(two, process.argv[2])"
    expect(await run(["exec", "-", "x"], { stdin })).toEqual(fine("2 x\n"))
  })

  test("gives a run as data", async () => {
    const code =
      'import { callTool } from "mcp-exec"; await callTool("echo.echo", {}); console.log("out"); process.exit(4)'
    const { code: exit, stdout } = await run(["exec", "--json", "-e", code])
    expect(exit).toBe(4)
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      exitCode: 4,
      stdout: "out\n",
      toolCalls: [{ server: "echo", tool: "echo", ok: true }],
      error: { code: "E_SCRIPT_FAILED" },
    })
  })

  test("calls tools, lists them and checks the servers", async () => {
    expect(await run(["call", "echo.add", "a=1", "b=2"])).toEqual(fine('{\n  "sum": 3\n}\n'))
    expect((await run(["call", "files.list_directory", `path=${project.path("workspace")}`])).stdout).toContain(
      "note.txt",
    )
    expect((await run(["tools", "files"])).stdout).toContain("read_text_file")
    const { code, stdout } = await run(["servers", "--check", "--json"])
    expect(code).toBe(0)
    const checks = JSON.parse(stdout).servers.map((server: { check: { ok: boolean } }) => server.check.ok)
    expect(checks).toEqual([true, true, true, true])
  })

  test("finds nothing wrong with itself", async () => {
    const { code, stdout } = await run(["doctor"], { env: { LANG: "C.UTF-8" } })
    expect(stdout).toContain("compiled")
    expect(stdout).toContain("Nothing failed.")
    expect(code).toBe(0)
  })

  test("shows the place where a script failed, and nothing of its own", async () => {
    project.write({
      "fails.ts": 'type Text = string\nfunction fail(why: Text) {\n  throw new Error(why)\n}\nfail("no")',
    })
    const { code, stderr } = await run(["exec", "fails.ts"])
    expect(code).toBe(1)
    expect(stderr).toContain("3 |   throw new Error(why)\n")
    expect(stderr).toContain("error: no\n")
    expect(stderr).toContain(`at fail (${project.path("fails.ts")}:3:`)
    expect(stderr).not.toMatch(/bunfs|chunk-|node:internal/)
  })

  test("shows no code of its own when a script prints the error of a call", async () => {
    const code =
      'import { callTool } from "mcp-exec"; await callTool("echo.fail", { message: "no" }).catch(console.log)'
    const { stdout } = await run(["exec", "-e", code])
    expect(stdout).toStartWith("ToolError: no\n")
    expect(stdout).not.toMatch(/bunfs|chunk-/)
  })

  test("says what is wrong with a configuration", async () => {
    using broken = createProject({ files: { "mcp_config.json": '{"mcpServers": {"a": {"url": 5}}}', "a.ts": "" } })
    for (const args of [["servers"], ["exec", "a.ts"], ["call", "a.b"]]) {
      const { code, stdout, stderr } = await run(args, {}, broken)
      expect({ code, stdout }).toEqual({ code: 3, stdout: "" })
      expect(stderr).toStartWith("error[E_CONFIG_INVALID]: ")
      expect(stderr).toContain("mcpServers.a.url")
    }
  })

  test("ends a script that never yields, at its timeout", async () => {
    const { code, stdout, stderr } = await run(["exec", "--timeout", "5", "-e", "console.log(1); while (true) {}"])
    expect({ code, stdout }).toEqual({ code: 124, stdout: "1\n" })
    expect(stderr).toStartWith("error[E_SCRIPT_TIMEOUT]: ")
  })
})

describe("in the user's folder", () => {
  test("bunfig.toml and .env are not loaded, neither by a command nor for a script", async () => {
    using trap = createProject({
      servers: { files: { type: "builtin", name: "filesystem", args: ["."] } },
      files: {
        "bunfig.toml": 'preload = ["./preload.ts"]\n[run]\npreload = ["./preload.ts"]\n',
        "preload.ts": 'require("node:fs").writeFileSync(import.meta.dir + "/trapped.txt", process.argv.join(" "))',
        ".env": "FROM_DOTENV=1\nMCP_EXEC_FROM_DOTENV=1\nMCP_EXEC_CONFIG=/nowhere.json\n",
        ".env.local": "FROM_DOTENV=1\n",
        "env.ts": 'console.log(Object.keys(process.env).filter((name) => name.includes("DOTENV")).length)',
      },
    })
    expect(await run(["exec", "env.ts"], {}, trap)).toEqual(fine("0\n"))
    expect(await run(["exec", "-e", "console.log(process.env.FROM_DOTENV)"], {}, trap)).toEqual(fine("undefined\n"))
    expect((await run(["call", "files.list_directory", "path=."], {}, trap)).code).toBe(0)
    expect((await run(["servers"], {}, trap)).code).toBe(0)
    expect(existsSync(trap.path("trapped.txt"))).toBe(false)
  })

  test("packages and the paths of tsconfig.json are found, and mcp-exec is always ours", async () => {
    using own = createProject({
      servers: { echo: { type: "builtin", name: "echo" } },
      files: {
        "node_modules/greeter/package.json": '{"name": "greeter", "main": "index.js"}',
        "node_modules/greeter/index.js": 'exports.greet = (name) => "hello " + name',
        "node_modules/mcp-exec/index.js": 'exports.callTool = () => "an impostor"',
        "tsconfig.json": '{"compilerOptions": {"paths": {"@lib/*": ["./lib/*"], "mcp-exec": ["./lib/name.ts"]}}}',
        "lib/name.ts": 'export const name = "alias"',
        "sub/a.ts": `import { name } from "@lib/name.ts"
          import { greet } from "greeter"
          import { callTool } from "mcp-exec"
          console.log(greet(name), JSON.stringify(await callTool("echo.echo", { a: 1 })))`,
      },
    })
    expect(await run(["exec", "sub/a.ts"], {}, own)).toEqual(fine('hello alias {"a":1}\n'))
  })

  for (const name of [
    "two words.ts",
    "größe ✓ 表.ts",
    'it\'s "quoted" $HOME `x`.ts',
    "a#b%20c.ts",
    "new\nline.ts",
    "[x]*.ts",
  ]) {
    test(`a script may be called ${JSON.stringify(name)}`, async () => {
      project.write({
        [name]: 'import { callTool } from "mcp-exec"\nconsole.log((await callTool("echo.add", { a: 1, b: 2 })).sum)',
      })
      expect(await run(["exec", name])).toEqual(fine("3\n"))
    })
  }

  test("the configuration of a folder above counts", async () => {
    project.write({
      "deep er/down/x.ts": 'import { listServers } from "mcp-exec"\nconsole.log((await listServers()).length)',
    })
    expect(await run(["exec", "x.ts"], { cwd: project.path("deep er/down") })).toEqual(fine("4\n"))
  })
})

describe("nothing is sent anywhere", () => {
  /** The internet addresses that a command and everything it starts connect to. */
  async function connections(args: string[]): Promise<string[]> {
    const trace = join(root, "trace.txt")
    const { code, stderr } = await run(args, {
      program: [strace, "-f", "-qq", "-e", "trace=connect,sendto", "-o", trace, binary],
      // What a daemon does is not seen from here.
      env: { MCP_EXEC_DAEMON: "0" },
    })
    if (code !== 0) throw new Error(stderr)
    const lines = readFileSync(trace, "utf8").split("\n")
    return lines.filter((line) => line.includes("AF_INET"))
  }

  test.skipIf(!canWatch)("by scripts, calls and checks of local servers", async () => {
    const script =
      'import { callTool } from "mcp-exec"; await callTool("memory.read_graph"); await callTool("echo.echo", {})'
    expect(await connections(["exec", "-e", script])).toEqual([])
    expect(await connections(["servers", "--check"])).toEqual([])
    // The watch does see what is sent.
    const fetched = await connections(["call", "web.fetch", `url=${page.url.href}`])
    expect(fetched.length).toBeGreaterThan(0)
    expect(fetched.every((line) => line.includes(`htons(${page.port})`))).toBe(true)
  })
})
