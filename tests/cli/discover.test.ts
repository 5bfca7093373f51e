import { describe, expect, test } from "bun:test"
import { existsSync, readdirSync } from "node:fs"
import { typeCheck } from "../codegen/typescript.ts"
import { createProject } from "../fixtures/project.ts"
import { learningProject } from "./discover-project.ts"

const things = [
  { total: 1, things: [{ id: 1, name: "a" }] },
  { total: 2, things: [{ id: 1, name: null }], next: "x" },
]

describe("discover", () => {
  test("writes types of what tools answer, and wrappers that use them, in one run", async () => {
    using project = learningProject({ list_things: things }, { list_things: {} })
    const { code, stdout, stderr } = await project.run(["discover"])
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: "things.list_things: discovered: 1 sample\n1 discovered, 0 failed, 0 skipped\n",
    })
    expect(stderr).toContain("After one sample every member is optional")
    expect(project.types()).toContain(
      "export type ListThingsResult = {\n  things?: ListThingsThing[]\n  total?: number\n}",
    )
    const wrapper = project.read("servers/things/listThings.ts")
    expect(wrapper).toContain('import type { ListThingsResult } from "./types.discovered.ts"')
    expect(wrapper).toContain("Promise<ListThingsResult>")
    expect(JSON.parse(project.read("servers/index.json")).servers.things.tools.list_things.result).toBe("discovered")
    const { stdout: shown } = await project.run(["cat", "things.list_things"])
    expect(shown).toContain("type ListThingsThing = {\n  id?: number\n  name?: string\n}")
    const script =
      'import { listThings } from "./servers/things/index.ts"\nexport const names: Promise<(string | undefined)[] | undefined> = listThings().then((r) => r.things?.map((t) => t.name))\n'
    expect(await typeCheck(filesOf(project, script))).toBe("")
    project.write({
      "script.ts": 'import { listThings } from "./servers/things/index.ts"\nconsole.log((await listThings()).total)',
    })
    expect((await project.run(["exec", "script.ts"])).stdout).toBe("1\n")
  })

  test("learns more with every sample and every run", async () => {
    using project = learningProject({ list_things: things }, { list_things: {} })
    const first = await project.json(["discover", "--samples", "2"])
    expect(first.value.tools).toEqual([
      { server: "things", tool: "list_things", outcome: "discovered", samples: 2, changes: [] },
    ])
    expect(project.types()).toContain(
      "export type ListThingsResult = {\n  next?: string\n  things: ListThingsThing[]\n  total: number\n}",
    )
    project.answer({ list_things: [{ total: "many", things: [] }] })
    const second = await project.json(["discover"])
    expect(second.value.tools[0]).toMatchObject({ samples: 3, changes: ["total is a string, was a number"] })
    expect(project.types()).toContain("total: number | string")
    const anew = await project.json(["discover", "--no-merge"])
    expect(anew.value.tools[0].samples).toBe(1)
    expect(project.types()).toContain("total?: string")
  })

  test("takes the same call, answered alike in another run, for the same sample", async () => {
    using project = learningProject({ list_things: [{ a: 1 }, { a: 2 }] }, { list_things: {} })
    for (let run = 0; run < 2; run++) {
      const { stdout, stderr } = await project.run(["discover"])
      expect(stdout).toStartWith("things.list_things: discovered: 1 sample\n")
      expect(stderr).toContain("Several arguments")
    }
    expect(project.types()).toContain("export type ListThingsResult = { a?: number }")
    project.write({ "discovery_config.json": '{"things__list_things": [{}, {"page": 2}]}' })
    expect((await project.run(["discover"])).stdout).toStartWith("things.list_things: discovered: 2 samples\n")
    expect(project.types()).toContain("export type ListThingsResult = { a: number }")
  })

  test("counts each call that --samples asks for, the same number in another run", async () => {
    using project = learningProject({ list_things: [{ a: 1 }] }, { list_things: {} })
    for (let run = 0; run < 2; run++) {
      const { stdout, stderr } = await project.run(["discover", "--samples", "3"])
      expect(stdout).toStartWith("things.list_things: discovered: 3 samples\n")
      expect(stderr).toBe("")
    }
    expect(project.calls()).toHaveLength(6)
    expect(project.types()).toContain("export type ListThingsResult = { a: number }")
  })

  test("keeps shapes, and no value of any result", async () => {
    using project = learningProject({ list_things: [{ secret: "hunter2", more: ["hunter2"] }] }, { list_things: {} })
    await project.run(["discover", "--samples", "3"])
    for (const name of readdirSync(project.path("servers/things"))) {
      expect(project.read(`servers/things/${name}`)).not.toContain("hunter2")
    }
    expect(project.types()).toContain("secret: string")
  })

  test("goes on when a tool fails, and tells how each ended", async () => {
    const listed = {
      get_broken: {},
      list_things: {},
      get_thing: { owner: "<fill in: owner (string)>" },
      get_nothing: {},
      delete_thing: {},
    }
    using project = learningProject({ list_things: things }, listed)
    const { code, stdout } = await project.run(["discover"])
    expect(code).toBe(0)
    expect(stdout.split("\n")).toEqual([
      "things.get_broken: failed: error[E_TOOL_FAILED] get_broken is out of order",
      "things.list_things: discovered: 1 sample",
      "things.get_thing: skipped: to be filled in: owner",
      "things.get_nothing: failed: error[E_TOOL_UNKNOWN] Server 'things' has no tool 'get_nothing'",
      'things.delete_thing: refused: its name says "delete"',
      "1 discovered, 2 failed, 1 skipped, 1 refused",
      "",
    ])
    expect(project.calls()).toEqual(["get_broken {}", "list_things {}"])
  })

  test("ends with 1 when everything failed, and leaves nothing behind", async () => {
    using project = learningProject({}, { get_broken: {} })
    expect((await project.run(["discover"])).code).toBe(1)
    expect(existsSync(project.path("servers"))).toBe(false)
  })

  test("ends with 1 when no server can be reached, and the others are asked all the same", async () => {
    using project = learningProject({ list_things: things })
    const config = JSON.parse(project.read("mcp_config.json"))
    config.mcpServers.gone = { command: "/nowhere/at-all" }
    project.write({
      "mcp_config.json": JSON.stringify(config),
      "discovery_config.json": '{"gone__get_it": {}, "unknown__get_it": {}, "things__list_things": {}}',
    })
    const both = await project.json(["discover"])
    expect(both.code).toBe(0)
    expect(both.value.tools.map((each: { outcome: string }) => each.outcome)).toEqual([
      "failed",
      "failed",
      "discovered",
    ])
    expect(both.value.tools[1].error).toMatchObject({ code: "E_SERVER_UNKNOWN" })
    expect((await project.run(["discover", "gone"])).code).toBe(1)
  })

  for (const tool of ["reset", "delete_thing"]) {
    test(`refuses ${tool} although it is listed, unless told otherwise`, async () => {
      using project = learningProject({ [tool]: [{ done: true }] }, { [tool]: {} })
      const refused = await project.run(["discover"])
      expect(refused.code).toBe(1)
      expect(refused.stderr).toContain("--include-dangerous")
      expect(project.calls()).toEqual([])
      expect((await project.run(["discover", "--include-dangerous"])).code).toBe(0)
      expect(project.calls()).toEqual([`${tool} {}`])
    })
  }

  test("calls a tool with each of its arguments", async () => {
    using project = learningProject(
      { list_things: things },
      { list_things: [{ page: 1 }, { page: "<fill in: page>" }, { page: 2 }] },
    )
    await project.run(["discover"])
    expect(project.calls()).toEqual(['list_things {"page":1}', 'list_things {"page":2}'])
    await project.run(["discover", "--samples", "3"])
    expect(project.calls().slice(2)).toEqual([
      'list_things {"page":1}',
      'list_things {"page":2}',
      'list_things {"page":1}',
    ])
  })

  test("calls what is named, in each spelling, and nothing else", async () => {
    using project = learningProject({ list_things: things, getStatus: ["fine"] }, { list_things: {}, getStatus: {} })
    for (const name of ["things.getStatus", "things__getStatus", "things/getStatus"]) {
      expect((await project.run(["discover", name])).code).toBe(0)
    }
    expect(project.calls()).toEqual(Array(3).fill("getStatus {}"))
    expect(project.types()).not.toContain("ListThings")
    await project.run(["discover", "things"])
    expect(project.calls().slice(3)).toEqual(["list_things {}", "getStatus {}"])
  })

  test("makes members optional everywhere, where the file says so", async () => {
    using project = learningProject({ list_things: things })
    const servers = { things: { safeTools: { list_things: { description: "d", sampleParams: {} } } } }
    project.write({ "discovery_config.json": JSON.stringify({ servers, options: { makeFieldsOptional: true } }) })
    await project.run(["discover", "--samples", "4"])
    expect(project.types()).toContain("total?: number")
  })

  test("tells more than a server that declares a wrapper around anything", async () => {
    using project = learningProject({ get_loose: [{ result: { n: 1 } }] }, { get_loose: [{ a: 1 }, { a: 2 }] })
    await project.run(["generate"])
    expect(project.read("servers/things/getLoose.ts")).toContain("result?: unknown")
    await project.run(["discover"])
    expect(project.types()).toContain("export type GetLooseResult = { result: GetLooseValue }")
    expect(project.read("servers/things/getLoose.ts")).toContain(
      'import type { GetLooseResult } from "./types.discovered.ts"',
    )
  })

  test("tells of a tool whose server declares what it answers that wrappers use that", async () => {
    using project = createProject({ servers: { own: { type: "builtin", name: "echo" } } })
    project.write({ "discovery_config.json": '{"own__add": {"a": 1, "b": 2}}' })
    const { stdout, stderr } = await project.run(["discover"])
    expect(stdout).toStartWith(
      "own.add: discovered: 1 sample; wrappers go on using the type that its server declares\n",
    )
    expect(stderr).toBe("")
  })

  test("leaves types that generate keeps", async () => {
    using project = learningProject({ list_things: things }, { list_things: {} })
    await project.run(["discover"])
    const before = project.types()
    expect((await project.run(["generate", "--check"])).code).toBe(0)
    await project.run(["generate"])
    expect(project.types()).toBe(before)
    expect(project.read("servers/things/listThings.ts")).toContain("types.discovered.ts")
  })

  test("run several times at once loses nothing", async () => {
    const tools = ["list_things", "getStatus", "get_loose"]
    const answers = Object.fromEntries(tools.map((tool) => [tool, things]))
    using project = learningProject(answers, Object.fromEntries(tools.map((tool) => [tool, {}])))
    await Promise.all(tools.map((tool) => project.run(["discover", `things.${tool}`])))
    for (const tool of tools) expect(project.types()).toContain(`What ${tool} answers: 1 sample`)
  })

  test("follows the names of members that the configuration gives", async () => {
    const answers = { list_things: [{ first_name: "x", result: { last_name: 1, lastName: 2 } }] }
    using project = learningProject(answers, { list_things: {} })
    const config = JSON.parse(project.read("mcp_config.json"))
    const discoverWith = (normalize: unknown) => {
      config.mcpServers.things.normalize = normalize
      project.write({ "mcp_config.json": JSON.stringify(config) })
      return project.run(["discover", "--no-merge"])
    }
    const { stderr } = await discoverWith("camelCase")
    expect(project.types()).toContain("firstName?: string")
    // Two keys that would become one.
    expect(project.types()).toContain("{\n  lastName?: number\n  last_name?: number\n}")
    expect(stderr).toContain("last_name")
    await discoverWith({ result: "outcome" })
    expect(project.types()).toContain("first_name?: string")
    expect(project.types()).toContain("outcome?: ")
    expect(project.read("servers/things/getLoose.ts")).toContain("outcome?: unknown")
  })
})

/** The generated files of a project, and a script that uses them. */
function filesOf(
  project: { read(name: string): string; path(name: string): string },
  script: string,
): Map<string, string> {
  const names = readdirSync(project.path("servers"), { recursive: true, encoding: "utf8" })
  const files = names.filter((name) => name.endsWith(".ts") && name !== "_runtime.ts")
  const runtime =
    "export type CallOptions = { timeoutMs?: number }\nexport declare function callTool<T>(s: string, t: string, a?: object, o?: CallOptions): Promise<T>\n"
  return new Map([
    ...files.map((name) => [`servers/${name}`, project.read(`servers/${name}`)] as const),
    ["servers/_runtime.ts", runtime],
    ["script.ts", script],
  ])
}
