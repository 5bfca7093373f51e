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
    for (const name of ["callTool", "listTools", "workspace", "log", "ToolError"]) expect(names).toContain(`"${name}"`)
    for (const name of ["Channel", "connect", "guest", "createLineReader"]) expect(names).not.toContain(`"${name}"`)
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

  test("gives strict types without the types of any runtime", () => {
    const options =
      "--noEmit --declaration --isolatedDeclarations --strict --noUncheckedIndexedAccess --exactOptionalPropertyTypes --skipLibCheck false"
    const target = "--allowImportingTsExtensions --module preserve --target esnext --lib esnext --types"
    const command = [join(repository, "node_modules/.bin/tsc"), ...`${options} ${target}`.split(" "), ""]
    const { exitCode, stdout } = Bun.spawnSync([...command, "servers/echo/index.ts"], { cwd: project.directory })
    expect({ exitCode, stdout: stdout.toString() }).toEqual({ exitCode: 0, stdout: "" })
  })
})
