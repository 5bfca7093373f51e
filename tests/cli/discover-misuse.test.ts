import { describe, expect, test } from "bun:test"
import { existsSync } from "node:fs"
import { eventually } from "../fixtures/eventually.ts"
import { createProject } from "../fixtures/project.ts"
import { learningProject } from "./discover-project.ts"

describe("discover is told what is wrong", () => {
  const cases: { args: string[]; file?: string; code: number; want: string[] }[] = [
    { args: [], code: 3, want: ["error[E_CONFIG_NOT_FOUND]", "discovery_config.json", "mcp-exec discover init"] },
    { args: [], file: "", code: 3, want: ["error[E_CONFIG_SYNTAX]", "is empty"] },
    { args: [], file: "{", code: 3, want: ["error[E_CONFIG_SYNTAX]", "discovery_config.json:1"] },
    {
      args: [],
      file: '{"things": {}}',
      code: 3,
      want: ["error[E_CONFIG_INVALID]", "line 1: things", '"server__tool"'],
    },
    {
      args: ["nothing"],
      file: '{"things__x": {}}',
      code: 2,
      want: ["'nothing' is not listed in", "when they are listed there", "things.x"],
    },
    { args: ["things.y"], file: '{"things__x": {}}', code: 2, want: ["Did you mean 'things.x'?"] },
    { args: ["--samples", "0"], code: 2, want: ["a whole number from 1 to 1000"] },
    { args: ["--samples", "1e9"], code: 2, want: ["a whole number from 1 to 1000"] },
    { args: ["--from-observed", "--samples", "2"], code: 2, want: ["--from-observed calls nothing"] },
    { args: ["--from-observed", "--include-dangerous"], code: 2, want: ["--from-observed calls nothing"] },
    { args: ["--from-observed"], code: 0, want: ['write "discovery": "observe" into the configuration'] },
    { args: [], file: "{}", code: 0, want: ["discovery_config.json lists no tool"] },
    { args: ["--sample", "2"], code: 2, want: ["Unknown option", "--samples"] },
    { args: ["status"], code: 2, want: ["Nothing has been generated", "mcp-exec generate"] },
  ]
  for (const { args, file, code, want } of cases) {
    test(`${["discover", ...args].join(" ")}, with ${file ?? "no file"}: ${want[0]}`, async () => {
      using project = learningProject({})
      if (file !== undefined) project.write({ "discovery_config.json": file })
      const result = await project.run(["discover", ...args])
      expect(result).toMatchObject({ code, stdout: "" })
      for (const text of want) expect(result.stderr).toContain(text)
      expect(existsSync(project.path("servers"))).toBe(false)
      expect(project.calls()).toEqual([])
    })
  }

  for (const args of [["discover"], ["discover", "init"]]) {
    test(`${args.join(" ")}, where nothing is configured`, async () => {
      using project = createProject()
      const { code, stderr } = await project.run(args)
      expect(code).toBe(3)
      expect(stderr).toContain("No mcp_config.json was found")
      expect(stderr).toContain("mcp-exec init")
    })
  }

  test("as one JSON value", async () => {
    using project = learningProject({})
    const { code, value } = await project.json(["discover"])
    expect(code).toBe(3)
    expect(value.error.code).toBe("E_CONFIG_NOT_FOUND")
  })
})

describe("discover holds against", () => {
  test("a tool that answers with keys that are code", async () => {
    const hostile = JSON.parse('{"*/ export const pwned = 1 /*": 1, "__proto__": {"x": 1}, "a\\"b": 1, "\\u2028": 1}')
    using project = learningProject({ list_things: [hostile] }, { list_things: {} })
    expect((await project.run(["discover"])).code).toBe(0)
    project.write({
      "script.ts": 'import * as things from "./servers/things/types.discovered.ts"\nconsole.log(Object.keys(things))',
    })
    expect((await project.run(["exec", "script.ts"])).stdout).toBe("[]\n")
  })

  test("types and shapes that somebody has broken", async () => {
    using project = learningProject({ list_things: [{ a: 1 }] }, { list_things: {} })
    await project.run(["discover", "--samples", "2"])
    project.write({
      "servers/things/types.discovered.json":
        '{"format":2,"tools":{"list_things":{"depth":40,"samples":["x"],"shape":"x"}}}',
      "servers/things/types.discovered.ts": "export type ListThingsResult = broken",
    })
    expect((await project.run(["discover"])).stdout).toContain("things.list_things: discovered: 1 sample")
    expect(project.types()).toContain("export type ListThingsResult = { a?: number }")
  })

  test("being interrupted: nothing is written", async () => {
    using project = learningProject({ list_things: [{ a: 1 }, { a: 1 }, "never"] }, { list_things: {}, wait: {} })
    const program = project.start(["discover", "--samples", "1000"])
    await eventually(() => project.calls().length === 3)
    program.kill("SIGINT")
    expect((await program.finished).code).toBe(130)
    expect(existsSync(project.path("servers"))).toBe(false)
  })
})
