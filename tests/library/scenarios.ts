// What is done on every surface: as words of the command line, as a call of the library, as a call of the MCP server.
import type { McpExec } from "../../src/index.ts"
import { fixtureServer } from "../fixtures/config.ts"
import type { Project, ProjectInput } from "../fixtures/project.ts"
import type { Connected, Execution } from "../server/served.ts"
import { echo } from "./instance.ts"

export const input: ProjectInput = {
  servers: { echo, real: fixtureServer("echo"), gone: fixtureServer("exits"), off: { ...echo, disabled: true } },
  files: {
    "good.ts": `import { callTool } from "mcp-exec"
      console.log(await callTool("echo.add", { a: 1, b: 2 }), process.argv.slice(2))
      console.error("aside")`,
    "bad.ts": `import { callTool } from "mcp-exec"\nawait callTool("echo.fail", { message: "no luck" })`,
    "unknown.ts": `import { callTool } from "mcp-exec"\nawait callTool("echo.ad", { a: 1, b: 2 })`,
    "skills/hello.ts": "// Says hello.\nconsole.log('hello', ...process.argv.slice(2))",
  },
}
export interface Scenario {
  /** The operation that all surfaces share. */
  operation: string
  words: string[]
  library(mcp: McpExec): Promise<unknown>
  /** Where the MCP server offers it. */
  server?(served: Connected, project: Project): Promise<unknown>
  /** What the server gives of an output; all of it when absent. */
  inServer?(output: never): unknown
  /** Of failures that are worded for one surface only the code is compared. */
  codeOnly?: true
}

// In this order: what is listed has been generated before.
export const scenarios: Scenario[] = [
  { operation: "skills/list-project.ts", words: ["ls"], library: (mcp) => mcp.list() },
  {
    operation: "search/search-tools.ts",
    words: ["search", "add"],
    library: (mcp) => mcp.search("add"),
    server: (served) => meta(served.call("search_tools", { query: "add" })),
  },
  {
    operation: "generate.ts",
    words: ["generate", "--check", "echo"],
    library: (mcp) => mcp.generate({ check: true, servers: ["echo"] }),
    server: (served) => meta(served.call("generate_wrappers", { check: true, servers: ["echo"] })),
  },
  {
    operation: "generate.ts",
    words: ["generate"],
    library: (mcp) => mcp.generate(),
    server: (served) => meta(served.call("generate_wrappers")),
  },
  {
    operation: "generate.ts",
    words: ["generate", "echo"],
    library: (mcp) => mcp.generate({ servers: ["echo"] }),
    server: (served) => meta(served.call("generate_wrappers", { servers: ["echo"] })),
  },
  {
    operation: "generate.ts",
    words: ["generate", "nobody"],
    library: (mcp) => mcp.generate({ servers: ["nobody"] }),
    server: (served) => meta(served.call("generate_wrappers", { servers: ["nobody"] })),
  },
  {
    operation: "skills/list-project.ts",
    words: ["ls"],
    library: (mcp) => mcp.list(),
    server: (served) => meta(served.call("search_tools", { query: "" })),
    inServer: ({ skills, servers }: Awaited<ReturnType<McpExec["list"]>>) => ({ skills, servers }),
  },
  {
    operation: "list-generated.ts",
    words: ["ls", "echo"],
    library: (mcp) => mcp.listGenerated("echo"),
    server: (served) => meta(served.call("search_tools", { query: "", server: "echo" })),
  },
  {
    operation: "list-generated.ts",
    words: ["ls", "ecoh"],
    library: (mcp) => mcp.listGenerated("ecoh"),
    server: (served) => meta(served.call("search_tools", { query: "", server: "ecoh" })),
  },
  {
    operation: "skills/show-named.ts",
    words: ["cat", "echo.add"],
    library: (mcp) => mcp.show("echo.add"),
    server: (served) => resource(served, "servers/echo/add"),
    inServer: (shown: { import: string; text: string }) => `${shown.import}\n${shown.text}`,
  },
  {
    operation: "skills/show-named.ts",
    words: ["cat", "hello", "--source"],
    library: (mcp) => mcp.show("hello", { source: true }),
  },
  {
    operation: "search/search-tools.ts",
    words: ["search", "two", "numbers"],
    library: (mcp) => mcp.search("two numbers"),
    server: (served) => meta(served.call("search_tools", { query: "two numbers" })),
  },
  {
    operation: "search/search-tools.ts",
    words: ["search", "hello", "--detail", "full", "--limit", "1"],
    library: (mcp) => mcp.search("hello", { detail: "full", limit: 1 }),
    server: (served) => meta(served.call("search_tools", { query: "hello", detail: "full", limit: 1 })),
  },
  { operation: "discover/discover-status.ts", words: ["discover", "status"], library: (mcp) => mcp.discoverStatus() },
  {
    operation: "discover/discover-init.ts",
    words: ["discover", "init", "echo"],
    library: (mcp) => mcp.discoverInit({ servers: ["echo"] }),
  },
  {
    operation: "discover/discover.ts",
    words: ["discover", "echo.echo"],
    library: (mcp) => mcp.discover({ targets: ["echo.echo"] }),
    server: (served, project) =>
      prepareDiscovery(project).then(() => meta(served.call("discover_schemas", { tools: ["echo.echo"] }))),
  },
  { operation: "list-servers.ts", words: ["servers"], library: (mcp) => mcp.listServers() },
  { operation: "list-servers.ts", words: ["servers", "--check"], library: (mcp) => mcp.listServers({ check: true }) },
  { operation: "list-tools.ts", words: ["tools", "echo"], library: (mcp) => mcp.listTools("echo") },
  { operation: "list-tools.ts", words: ["tools", "off"], library: (mcp) => mcp.listTools("off") },
  {
    operation: "call-tool.ts",
    words: ["call", "echo.add", "a=1", "b=2"],
    library: (mcp) => mcp.callTool("echo.add", { a: 1, b: 2 }),
  },
  {
    operation: "call-tool.ts",
    words: ["call", "echo", "add", "--args", '{"a":1,"b":2}', "--raw"],
    library: (mcp) => mcp.callTool("echo", "add", { a: 1, b: 2 }, { raw: true }),
  },
  {
    operation: "call-tool.ts",
    words: ["call", "echo.fail", "message=no"],
    library: (mcp) => mcp.callTool("echo.fail", { message: "no" }),
  },
  { operation: "call-tool.ts", words: ["call", "echo.ad", "--args", "{}"], library: (mcp) => mcp.callTool("echo.ad") },
  { operation: "call-tool.ts", words: ["call", "eco.add", "--args", "{}"], library: (mcp) => mcp.callTool("eco.add") },
  {
    operation: "call-tool.ts",
    words: ["call", "gone.echo", "--args", "{}"],
    library: (mcp) => mcp.callTool("gone.echo"),
  },
  {
    operation: "call-tool.ts",
    words: ["call", "real.wait", "--timeout", "0.2", "--args", '{"ms":60000}'],
    library: (mcp) => mcp.callTool("real.wait", { ms: 60_000 }, { timeoutMs: 200 }),
  },
  {
    operation: "exec.ts",
    words: ["exec", "good.ts", "a", "b"],
    library: (mcp) => mcp.exec({ file: "good.ts", args: ["a", "b"] }),
    server: (served) => served.run({ path: "good.ts", args: ["a", "b"] }),
    inServer: execution,
  },
  {
    operation: "exec.ts",
    words: ["exec", "bad.ts"],
    library: (mcp) => mcp.exec({ file: "bad.ts" }),
    server: (served) => served.run({ path: "bad.ts" }),
    inServer: execution,
  },
  {
    operation: "exec.ts",
    words: ["exec", "hello", "x"],
    library: (mcp) => mcp.exec({ skill: "hello", args: ["x"] }),
    server: (served) => served.run({ skill: "hello", args: ["x"] }),
    inServer: execution,
  },
  {
    operation: "exec.ts",
    words: ["exec", "nope.ts"],
    library: (mcp) => mcp.exec({ file: "nope.ts" }),
    server: (served) => served.run({ path: "nope.ts" }),
    codeOnly: true,
  },
  {
    operation: "skills/check-script.ts",
    words: ["exec", "--quiet", "--check", "unknown.ts"],
    library: (mcp) => mcp.checkScript({ file: "unknown.ts" }).then(refusal),
    server: (served) => served.run({ path: "unknown.ts", check: true }),
    codeOnly: true,
  },
  {
    operation: "skills/list-skills.ts",
    words: ["skills", "list"],
    library: (mcp) => mcp.skills.list(),
    server: (served) => meta(served.call("search_tools", { query: "" })).then(({ skills }) => skills),
    inServer: (output: { skills: unknown }) => output.skills,
  },
  {
    operation: "skills/show-skill.ts",
    words: ["skills", "show", "hello"],
    library: (mcp) => mcp.skills.show("hello"),
    server: (served) => resource(served, "skills/hello"),
    inServer: (shown: { text: string }) => shown.text,
  },
  { operation: "skills/show-skill.ts", words: ["skills", "show", "nope"], library: (mcp) => mcp.skills.show("nope") },
  {
    operation: "skills/save-skill.ts",
    words: ["skills", "save", "kept", "--from", "good.ts", "--description", "Adds."],
    library: (mcp) => mcp.skills.save({ name: "kept", from: "good.ts", description: "Adds." }),
  },
  {
    operation: "skills/approve-skill.ts",
    words: ["skills", "approve", "hello"],
    library: (mcp) => mcp.skills.approve("hello"),
  },
  {
    operation: "skills/add-skills.ts",
    words: ["skills", "add", "./nowhere"],
    library: (mcp) => mcp.skills.add({ source: "./nowhere" }),
  },
  { operation: "sandbox/status.ts", words: ["sandbox", "status"], library: (mcp) => mcp.sandbox.status() },
  { operation: "skills/check-skills.ts", words: ["skills", "check"], library: (mcp) => mcp.skills.check() },
  {
    operation: "skills/new-skill.ts",
    words: ["skills", "new", "fresh"],
    library: (mcp) => mcp.skills.create({ name: "fresh" }),
  },
  {
    operation: "skills/new-skill.ts",
    words: ["skills", "new", "Not good"],
    library: (mcp) => mcp.skills.create({ name: "Not good" }),
  },
  {
    operation: "skills/remove-skill.ts",
    words: ["skills", "remove", "fresh"],
    library: (mcp) => mcp.skills.remove("fresh"),
  },
]

/** The operation's own output, which goes along with what the model reads. */
async function meta(call: ReturnType<Connected["call"]>) {
  const { _meta: { error, "mcp-exec/result": result } = {} } = await call
  return (error === undefined ? result : { error }) as Record<string, unknown>
}

async function resource(client: Connected, path: string): Promise<unknown> {
  const { contents } = await client.client.readResource({ uri: `mcp-exec://${path}` })
  return contents.map((content) => ("text" in content ? content.text : "")).join("")
}

/** The server has no tool for `discover init`: it is for a person to say which tools may be called. */
async function prepareDiscovery(project: Project): Promise<void> {
  await project.run(["discover", "init", "echo"])
}

/** What stops a run, for a program that only asks. */
function refusal({ problems }: Awaited<ReturnType<McpExec["checkScript"]>>): unknown {
  return problems.length === 0 ? { ok: true } : { error: { code: "E_SCRIPT_TYPES" } }
}

/** What execute_script tells of a run: the two streams as one, and the error without what only a terminal shows. */
function execution({ stdout, stderr, error, ...rest }: Execution & Record<"stdout" | "stderr", string>): unknown {
  const output = [stdout, stderr].filter((part) => part !== "").join(stdout.endsWith("\n") ? "" : "\n")
  const { code, message, hint } = error ?? {}
  return { ...rest, output, ...(error !== undefined && { error: { code, message, ...(hint && { hint }) } }) }
}
