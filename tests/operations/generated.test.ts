import { expect, test } from "bun:test"
import { join } from "node:path"
import { createProject, repository } from "../fixtures/project.ts"

// Says which packages have been loaded once servers/ has been read back.
const probe = `
const { createContext } = await import(${source("context")})
const { listGenerated } = await import(${source("list-generated")})
const { showGenerated } = await import(${source("show-generated")})
await using context = createContext({ cwd: process.cwd(), env: process.env, log: () => {} })
const { tools } = await listGenerated(context, { server: "echo" })
const { text } = await showGenerated(context, { target: "echo.add", source: false })
const loaded = Object.keys(require.cache)
console.log(JSON.stringify({ tools: tools.length, text, loaded }))
`

function source(name: string): string {
  return JSON.stringify(join(repository, "src/operations", `${name}.ts`))
}

test("reading servers/ back loads no package: neither the SDK nor the schema of the configuration", async () => {
  using project = createProject({ servers: { echo: { type: "builtin", name: "echo" } }, files: { "probe.ts": probe } })
  expect((await project.run(["generate"])).code).toBe(0)
  // The first to read a configuration validates it, and leaves a receipt for the next.
  await Bun.sleep(120)
  expect((await project.run(["ls"])).code).toBe(0)
  const { code, stdout, stderr } = await project.run(["probe.ts"], { program: [process.execPath] })
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
  const { tools, text, loaded } = JSON.parse(stdout)
  expect(tools).toBe(4)
  expect(text).toContain("function add(")
  expect(loaded.filter((path: string) => path.endsWith("src/operations/generated.ts"))).not.toEqual([])
  expect(loaded.filter((path: string) => path.includes("node_modules"))).toEqual([])
})
