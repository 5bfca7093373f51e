// What init writes lets every runtime, and tsc, find the generated functions.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { join } from "node:path"
import { createProject, type Project, repository } from "../../fixtures/project.ts"

const bin = join(repository, "node_modules/.bin")
const runtimes = [
  { name: "Bun", command: [join(bin, "bun")] },
  { name: "Deno", command: [join(bin, "deno"), "run", "-A"] },
  { name: "Node", command: [join(bin, "node"), "--disable-warning=ExperimentalWarning"] },
]
const imports = { mapped: "#servers/memory", relative: "../servers/memory/index.ts" }

let project: Project

function script(from: string): string {
  return `import { readGraph } from "${from}"
import type { ReadGraphResult } from "${from}"
const graph: ReadGraphResult = await readGraph()
console.log(graph.entities.length)
`
}

beforeAll(async () => {
  const files = Object.entries(imports).map(([name, from]) => [`scripts/${name}.ts`, script(from)])
  project = createProject({ files: Object.fromEntries(files) })
  project.write({ "scripts/guest.ts": 'import { callTool } from "mcp-exec"\nconsole.log(typeof callTool)\n' })
  const { code, stderr } = await project.run(["init"])
  if (code !== 0) throw new Error(stderr)
})
afterAll(() => project[Symbol.dispose]())

describe.each(Object.keys(imports))("a %s import of a generated function", (kind) => {
  test("works in this program", async () => {
    expect(await project.run(["exec", `scripts/${kind}.ts`])).toEqual({ code: 0, stdout: "0\n", stderr: "" })
  })

  test.each(runtimes)("is found under $name, where a call says what is missing", async ({ command }) => {
    const { code, stdout, stderr } = await project.run([`scripts/${kind}.ts`], {
      program: command,
      env: { NO_COLOR: "1" },
    })
    expect(code).not.toBe(0)
    expect(stdout).toBe("")
    expect(stderr).toContain("This script is not running under mcp-exec")
    expect(stderr).not.toMatch(/Cannot find|ERR_MODULE|not a dependency/)
  })
})

test.each(runtimes.filter(({ name }) => name !== "Node"))(
  "mcp-exec itself is found under $name",
  async ({ command }) => {
    const result = await project.run(["scripts/guest.ts"], { program: command })
    expect(result).toMatchObject({ code: 0, stdout: "function\n" })
  },
)

test("scripts, skills and servers/ type-check with the tsconfig.json that was made", async () => {
  const result = await project.run(["-p", "."], { program: [join(bin, "tsc")] })
  expect(result).toMatchObject({ code: 0, stdout: "" })
  project.write({
    "scripts/wrong.ts": 'import { readGraph } from "#servers/memory"\nexport const x: number = await readGraph()\n',
  })
  const wrong = await project.run(["-p", "."], { program: [join(bin, "tsc")] })
  expect(wrong.stdout).toContain("scripts/wrong.ts")
})
