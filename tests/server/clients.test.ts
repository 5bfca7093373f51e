// The SDK's own client drives every tool of the compiled program, over stdio and HTTP, in both revisions.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { toolNames } from "../../src/server/surface.ts"
import { builtProgram } from "../fixtures/program.ts"
import { createProject, type Project } from "../fixtures/project.ts"
import { connectHttp, connectStdio, eras, type Listening, startHttp } from "./served.ts"

let project: Project
let server: Listening

beforeAll(async () => {
  project = createProject({ servers: { own: { type: "builtin", name: "echo" } } })
  await project.run(["discover", "init", "own"])
  server = await startHttp(project, { program: [builtProgram()] })
}, 120_000)
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  project[Symbol.dispose]()
})

/** One call of each tool, in an order that works. */
const calls = {
  generate_wrappers: { args: {}, want: "own: 4 tools" },
  search_tools: { args: { query: "add numbers", detail: "full" }, want: "import { add }" },
  execute_script: {
    args: { code: 'import { add } from "#servers/own"\nawait add({ a: 1, b: 2 })' },
    want: '{"sum":3}',
  },
  discover_schemas: { args: { tools: ["own.echo"] }, want: "own.echo" },
}

test("every tool has a call", () => expect(Object.keys(calls).sort()).toEqual([...toolNames].sort()))

for (const era of eras) {
  for (const way of ["stdio", "HTTP"]) {
    describe(`the compiled program over ${way}, in revision ${era},`, () => {
      test("answers every tool to the SDK's client", async () => {
        const connect = () =>
          way === "HTTP" ? connectHttp(server.url, { era }) : connectStdio(project, { era, program: [builtProgram()] })
        await using served = await connect()
        expect((await served.client.listTools()).tools.map(({ name }) => name)).toEqual([...toolNames])
        for (const [name, { args, want }] of Object.entries(calls)) {
          const result = await served.call(name, args)
          expect({ name, failed: result.isError ?? false, text: result.text }).toEqual({
            name,
            failed: false,
            text: expect.stringContaining(want),
          })
        }
        expect((await served.client.listPrompts()).prompts).toHaveLength(1)
        expect((await served.client.readResource({ uri: "mcp-exec://servers/own/add" })).contents).toHaveLength(1)
      }, 120_000)
    })
  }
}
