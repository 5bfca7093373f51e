// `#servers/<name>` in a script that this program runs, where no file says what it means.
import { describe, expect, test } from "bun:test"
import { createProject, type Project } from "../fixtures/project.ts"

const useEcho = 'import { add } from "#servers/echo"\nconsole.log((await add({ a: 1, b: 2 })).sum)\n'

async function createGenerated(files: Record<string, string>): Promise<Project> {
  const project = createProject({ servers: { echo: { type: "builtin", name: "echo" } }, files })
  const { code, stderr } = await project.run(["generate"])
  if (code !== 0) throw new Error(stderr)
  return project
}

describe("#servers/ in a script", () => {
  test("is found from any folder of the project, in files and in code", async () => {
    using project = await createGenerated({ "script.ts": useEcho, "tools/deep/script.ts": useEcho })
    const fine = { code: 0, stdout: "3\n", stderr: "" }
    expect(await project.run(["exec", "script.ts"])).toEqual(fine)
    expect(await project.run(["exec", "tools/deep/script.ts"])).toEqual(fine)
    expect(await project.run(["exec", "script.ts"], { cwd: project.path("tools") })).toMatchObject({ code: 2 })
    expect(await project.run(["exec", "../script.ts"], { cwd: project.path("tools") })).toEqual(fine)
    expect(await project.run(["exec", "-"], { stdin: useEcho })).toEqual(fine)
    expect(await project.run(["exec", "-e", useEcho], { cwd: project.path("tools/deep") })).toEqual(fine)
  })

  test("is found where a package.json says nothing of it, or something that is not there", async () => {
    using project = await createGenerated({ "script.ts": useEcho })
    for (const imports of [undefined, { "#other": "./x.ts" }, { "#servers/*": "./nowhere/*.ts" }]) {
      project.write({ "package.json": JSON.stringify({ imports }) })
      expect(await project.run(["exec", "script.ts"])).toEqual({ code: 0, stdout: "3\n", stderr: "" })
    }
  })

  test("is found in modules that the script imports, and nothing runs twice", async () => {
    using project = await createGenerated({
      "script.ts":
        'import { three } from "./lib/three"\nimport { echo } from "#servers/echo"\nconsole.log(three, typeof echo)',
      "lib/three.ts":
        'import { add } from "#servers/echo"\nconsole.log("once")\nexport const three = (await add({ a: 1, b: 2 })).sum',
    })
    expect(await project.run(["exec", "script.ts"])).toEqual({ code: 0, stdout: "once\n3 function\n", stderr: "" })
  })

  test("that is not there fails with the way out", async () => {
    using project = await createGenerated({ "script.ts": 'import { x } from "#servers/nope"\nconsole.log(x)' })
    const { code, stdout, stderr } = await project.run(["exec", "script.ts"])
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" })
    expect(stderr).toBe(
      `error[E_SCRIPT_FAILED]: Cannot find '#servers/nope' imported from ${project.path("script.ts")}\n` +
        "hint: Run mcp-exec generate; mcp-exec ls lists the servers that there are.\n",
    )
  })

  test("in import() never starts a script a second time", async () => {
    using project = await createGenerated({ "script.ts": 'console.log("once")\nawait import("#servers/echo")' })
    const { code, stdout, stderr } = await project.run(["exec", "script.ts"])
    expect({ code, stdout }).toEqual({ code: 1, stdout: "once\n" })
    expect(stderr).toContain("hint: For import(…), run mcp-exec init: it maps #servers/ in package.json.")
  })

  test("gives the same guest as mcp-exec does", async () => {
    using project = await createGenerated({
      "script.ts": `import { ToolError } from "mcp-exec"
        import { add } from "#servers/echo"
        try { await add({ a: "x" } as never) } catch (error) { console.log(error instanceof ToolError) }`,
    })
    expect(await project.run(["exec", "script.ts"])).toEqual({ code: 0, stdout: "true\n", stderr: "" })
  })
})
