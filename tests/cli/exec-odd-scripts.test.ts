// Scripts that are right in their own way, and those that go wrong when nobody looks.
import { afterAll, describe, expect, test } from "bun:test"
import { createProject } from "../fixtures/project.ts"

const project = createProject({
  servers: { echo: { type: "builtin", name: "echo" } },
  files: {
    "common.cjs": `const { basename } = require("node:path")
      const { callTool } = require("mcp-exec")
      callTool("echo.add", { a: 1, b: 2 }).then(({ sum }) => console.log(basename(__filename), sum))`,
    "exports.cjs": "module.exports = async (...args) => console.log('called', args.join())",
    "patient/mcp_config.json": '{"exec": {"timeout": 1e10}}',
  },
})
afterAll(() => project[Symbol.dispose]())

const exec = (code: string) => project.run(["exec", "-e", code])
const fine = (stdout: string) => ({ code: 0, stdout, stderr: "" })

describe("CommonJS", () => {
  test("runs from a file, with require of mcp-exec", async () => {
    expect(await project.run(["exec", "common.cjs"])).toEqual(fine("common.cjs 3\n"))
    expect(await project.run(["exec", "exports.cjs", "a", "b"])).toEqual(fine("called a,b\n"))
  })

  test("runs without a file", async () => {
    expect(await exec('const fs = require("node:fs"); console.log(typeof fs.readFileSync)')).toEqual(fine("function\n"))
    expect(await exec("console.log(__dirname)")).toEqual(fine(`${project.directory}\n`))
  })
})

describe("a rejection that nobody handles", () => {
  const cases = [
    'setTimeout(() => Promise.reject(new Error("oh")), 20)',
    'import { callTool } from "mcp-exec"; callTool("echo.fail", { message: "oh" })',
    'import { callTool } from "mcp-exec"; for (let n = 0; n < 50; n++) callTool("echo.fail", { message: "oh" })',
    'await 1; setTimeout(async () => { await 1; throw new Error("oh") }, 20)',
  ]
  for (const code of cases) {
    test(`is shown once, and ends the script with 1: ${code}`, async () => {
      const { code: exit, stderr } = await exec(code)
      expect(exit).toBe(1)
      expect(stderr.match(/^error.*: oh$/gm)).toHaveLength(1)
    })
  }

  test("but by the script itself is the script's business", async () => {
    const code = 'process.on("unhandledRejection", (reason) => console.log("mine", reason)); Promise.reject(6)'
    expect(await exec(code)).toEqual(fine("mine 6\n"))
  })
})

describe("a script ends", () => {
  test("after a call whose arguments were wrong", async () => {
    const code = `import { callTool } from "mcp-exec"
      await callTool("echo.echo", {})
      await callTool("echo.echo", { n: 10n }).catch(({ code }) => console.log(code))`
    expect(await exec(code)).toEqual(fine("E_TOOL_ARGUMENTS\n"))
  })

  test("with an error when what it waits for cannot happen any more", async () => {
    for (const code of ["await new Promise(() => {})", "export default () => new Promise(() => {})"]) {
      const { code: exit, stderr } = await exec(code)
      expect({ exit, stderr }).toEqual({ exit: 1, stderr: expect.stringContaining("cannot happen any more") })
    }
  })

  test("without a call of the class that it exports", async () => {
    expect(await exec("export default class A { constructor() { console.log(1) } }")).toEqual(fine(""))
  })

  test("not at once when its timeout is longer than a timer can be", async () => {
    const args = ["exec", "-e", 'await Bun.sleep(50); console.log("done")']
    expect(await project.run(args, { cwd: project.path("patient") })).toEqual(fine("done\n"))
  })
})

test("an error in onProgress is the script's own, and does not cost it the connection", async () => {
  using slow = createProject({
    servers: {
      everything: {
        command: process.execPath,
        args: [`${import.meta.dir}/../../node_modules/@modelcontextprotocol/server-everything/dist/index.js`, "stdio"],
      },
    },
  })
  const code = `import { callTool } from "mcp-exec"
    await callTool("everything", "trigger-long-running-operation", { duration: 0.2, steps: 2 },
      { onProgress() { throw new Error("in progress") } })`
  const { code: exit, stderr } = await slow.run(["exec", "-e", code])
  expect(exit).toBe(1)
  expect(stderr).toContain("error: in progress\n")
})

test("a server that --server names must exist", async () => {
  const { code, stderr } = await project.run(["exec", "--server", "ecoh", "-e", "1"])
  expect(code).toBe(2)
  expect(stderr).toStartWith("error[E_SERVER_UNKNOWN]: ")
  expect(stderr).toContain("hint: Did you mean 'echo'?")
})
