import { afterAll, describe, expect, test } from "bun:test"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { guestSource } from "../../src/guest/plain-file.ts"
import { createProject, repository } from "../fixtures/project.ts"

const wrapper = `import { callTool, type CallOptions } from "../_runtime.ts"

export async function add(params: { a: number; b: number }, options?: CallOptions): Promise<{ sum: number }> {
  return callTool<{ sum: number }>("echo", "add", params, options)
}
export async function fail(options?: CallOptions): Promise<unknown> {
  return callTool("echo", "fail", { message: "no" }, options)
}
`
const script = `import { callTool, ToolError } from "mcp-exec"
import { add, fail } from "./servers/echo/index.ts"

const { sum } = await add({ a: 1, b: 2 })
const other = await callTool<{ sum: number }>("echo.add", { a: 3, b: 4, c: undefined })
console.log(sum, other.sum, await fail().catch((error) => [error instanceof ToolError, error.code]))
`

const project = createProject({ servers: { echo: { type: "builtin", name: "echo" } }, files: { "use.ts": script } })
mkdirSync(project.path("servers/echo"), { recursive: true })
writeFileSync(project.path("servers/_runtime.ts"), await guestSource())
writeFileSync(project.path("servers/echo/index.ts"), wrapper)
afterAll(() => project[Symbol.dispose]())

describe("the guest as one plain file", () => {
  test("imports nothing", async () => {
    expect(await guestSource()).not.toMatch(/^import |from "\./m)
  })

  test("exports what scripts may use, and not what is inside", async () => {
    writeFileSync(project.path("names.ts"), 'console.log(Object.keys(await import("./servers/_runtime.ts")).sort())')
    const child = Bun.spawnSync([process.execPath, project.path("names.ts")])
    const names = child.stdout.toString()
    for (const name of [
      "callTool",
      "listTools",
      "searchTools",
      "workspace",
      "log",
      "ToolError",
      "skill",
      "arg",
      "state",
    ])
      expect(names).toContain(`"${name}"`)
    for (const name of ["Channel", "connect", "guest", "createLineReader", "createState", "optionName"])
      expect(names).not.toContain(`"${name}"`)
  })

  test("serves wrappers beside `mcp-exec` over one connection, with one ToolError", async () => {
    const { code, stdout, stderr } = await project.run(["exec", "use.ts"])
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '3 7 [ true, "E_TOOL_FAILED" ]\n', stderr: "" })
  })

  test("serves them under Deno too, over the same connection", async () => {
    const program = [join(repository, "node_modules/.bin/deno"), "run", "-A", join(repository, "src/main.ts")]
    const { code, stdout } = await project.run(["exec", "use.ts"], { program })
    expect(code).toBe(0)
    expect(stdout).toStartWith("3 7 ")
  })

  for (const runtime of ["bun", "deno run -A --no-config", "node --disable-warning=ExperimentalWarning"]) {
    test(`declares skills and keeps state under ${runtime.split(" ")[0]}`, () => {
      const code = `import { arg, skill, state } from "./servers/_runtime.ts"
        const demo = skill({ name: "demo", description: "", args: { n: arg.integer({ default: 1 }) } },
          async ({ n }: { n: number }, context) => { await context.state.set("n", n); return context.state.get("n") })
        await state.set("of", "the script")
        console.log(await demo.run({ n: 5 }), await state.list(), demo.declaration.args.n.kind)`
      writeFileSync(project.path("declares.ts"), code)
      const command = [
        join(repository, "node_modules/.bin", runtime.split(" ")[0] ?? ""),
        ...runtime.split(" ").slice(1),
      ]
      const { stdout, stderr } = Bun.spawnSync([...command, "declares.ts"], { cwd: project.directory })
      expect({ stdout: stdout.toString().replaceAll("'", '"'), stderr: stderr.toString() }).toEqual({
        stdout: '5 [ "of" ] integer\n',
        stderr: "",
      })
    })
  }

  test("infers the types of a skill's arguments", () => {
    const code = `import { arg, skill } from "./servers/_runtime.ts"
      export const demo = skill({ name: "demo", description: "", args: { n: arg.integer({ default: 1 }), s: arg.string() } },
        (args) => { const n: number = args.n; const s: string = args.s; return [n, s] })\n`
    writeFileSync(project.path("infers.ts"), code)
    const options =
      "--noEmit --strict --allowImportingTsExtensions --module preserve --target esnext --lib esnext --types"
    const command = [join(repository, "node_modules/.bin/tsc"), ...options.split(" "), "", "infers.ts"]
    const output = Bun.spawnSync(command, { cwd: project.directory }).stdout.toString()
    expect(output.match(/error TS\d+: .*/g)).toEqual([
      "error TS2322: Type 'string | undefined' is not assignable to type 'string'.",
    ])
  })

  test("gives strict types without the types of any runtime", () => {
    const options =
      "--noEmit --declaration --isolatedDeclarations --strict --noUncheckedIndexedAccess --exactOptionalPropertyTypes --skipLibCheck false"
    const target = "--allowImportingTsExtensions --module preserve --target esnext --lib esnext --types"
    const command = [join(repository, "node_modules/.bin/tsc"), ...`${options} ${target}`.split(" "), ""]
    const { exitCode, stdout } = Bun.spawnSync([...command, "servers/echo/index.ts"], { cwd: project.directory })
    expect({ exitCode, stdout: stdout.toString() }).toEqual({ exitCode: 0, stdout: "" })
  })
})
