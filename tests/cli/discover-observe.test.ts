import { describe, expect, test } from "bun:test"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { eventually } from "../fixtures/eventually.ts"
import { type Learning, learningProject } from "./discover-project.ts"

const script =
  'import { callTool } from "mcp-exec"\nfor (const tool of process.argv.slice(2)) await callTool("things", tool, {}).catch(() => {})'
const skill = `import { skill } from "mcp-exec"
import { listThings } from "../servers/things/index.ts"
export default skill({ name: "report", description: "Reports." }, async () => (await listThings()).total)
`
const things = [{ total: 1, secret: "hunter2" }, { total: null }]
const observing = { discovery: "observe" }

/** What is known of list_things, once so many samples were noted: a daemon does it after the command has ended. */
function observed(project: Learning, samples: number) {
  const look = () => project.json(["discover", "status", "things.list_things"])
  return eventually(look, ({ value }) => value.tools?.[0].observed === samples)
}

describe("discovery: observe", () => {
  test("learns from what scripts call, and makes types of it without calling anything", async () => {
    using project = learningProject({ list_things: things }, undefined, observing)
    project.write({ "script.ts": script })
    await project.run(["generate"])
    await project.run(["exec", "script.ts", "list_things", "get_broken", "list_things"])
    await project.run(["exec", "script.ts", "list_things"])
    const status = await observed(project, 2)
    expect(status.value.tools).toEqual([{ server: "things", tool: "list_things", quality: "unknown", observed: 2 }])
    const before = project.calls().length
    const { code, stdout } = await project.run(["discover", "--from-observed"])
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: "things.list_things: discovered: 2 samples\n1 discovered, 0 failed, 0 skipped\n",
    })
    expect(project.calls()).toHaveLength(before)
    expect(project.types()).toContain("export type ListThingsResult = {\n  secret?: string\n  total: number | null\n}")
    expect(project.read("servers/things/listThings.ts")).toContain("types.discovered.ts")
    const again = await project.run(["discover", "--from-observed"])
    expect(again).toMatchObject({ code: 0, stdout: "" })
    expect(again.stderr).toContain("Nothing was observed")
  })

  for (const daemon of ["0", "1"]) {
    const way = daemon === "1" ? "through a daemon" : "without a daemon"
    test(`learns from call ${way}, unless the call fails or wants the answer raw`, async () => {
      using project = learningProject({ list_things: things }, undefined, observing)
      const env = { MCP_EXEC_DAEMON: daemon }
      await project.run(["generate"])
      if (daemon === "1") await project.run(["daemon", "start"], { env })
      try {
        for (const call of ["list_things page=1", "list_things page=2", "list_things --raw", "get_broken"]) {
          await project.run(["call", ...`things.${call}`.split(" ")], { env })
        }
        expect((await observed(project, 2)).value.tools[0]).toMatchObject({ observed: 2 })
      } finally {
        await project.run(["daemon", "stop"], { env })
      }
      const status = await project.json(["discover", "status", "things"])
      const seen = status.value.tools.filter((tool: { observed?: number }) => tool.observed !== undefined)
      expect(seen.map(({ tool }: { tool: string }) => tool)).toEqual(["list_things"])
      expect((await project.run(["discover", "--from-observed"])).stdout).toContain("discovered: 2 samples")
    })
  }

  test("keeps what it has learned of servers that are not there now", async () => {
    using project = learningProject({ list_things: things }, undefined, observing)
    project.write({ "script.ts": script })
    await project.run(["generate"])
    await project.run(["exec", "script.ts", "list_things"])
    await observed(project, 1)
    const config = project.read("mcp_config.json")
    project.write({ "mcp_config.json": '{"discovery": "observe"}' })
    const { code, stdout } = await project.run(["discover", "--from-observed"])
    expect(code).toBe(0)
    expect(stdout).toContain("things.list_things: skipped: its server is not configured, or disabled")
    project.write({ "mcp_config.json": config })
    expect((await project.run(["discover", "--from-observed"])).stdout).toContain("1 discovered")
  })

  test("keeps no value", async () => {
    using project = learningProject({ list_things: things }, undefined, observing)
    project.write({ "script.ts": script })
    await project.run(["generate"])
    await project.run(["exec", "script.ts", "list_things"])
    await observed(project, 1)
    const files = filesBelow(project.path(".cache/observed"))
    expect(files).toHaveLength(1)
    expect(readFileSync(files[0] ?? "", "utf8")).toContain("secret")
    expect(readFileSync(files[0] ?? "", "utf8")).not.toContain("hunter2")
  })

  test("is off unless it is asked for", async () => {
    using project = learningProject({ list_things: things })
    project.write({ "script.ts": script })
    expect((await project.run(["exec", "script.ts", "list_things"])).code).toBe(0)
    expect(existsSync(project.path(".cache/observed"))).toBe(false)
  })

  test("knows only what was observed by its name", async () => {
    using project = learningProject({ list_things: things }, undefined, observing)
    const { code, stderr } = await project.run(["discover", "--from-observed", "things.list_things"])
    expect(code).toBe(2)
    expect(stderr).toContain("'things.list_things' is not among what was observed")
  })
})

describe("drift", () => {
  test("is noted when a script's result no longer fits, told by status, and gone after discover", async () => {
    using project = learningProject({ list_things: [{ total: 1 }] }, { list_things: [{ page: 1 }, { page: 2 }] })
    project.write({ "script.ts": script, "skills/report.ts": skill })
    await project.run(["discover"])
    await project.run(["exec", "script.ts", "list_things"])
    expect((await project.run(["discover", "status"])).stdout).toContain("things.list_things: discovered: 2 samples\n")
    project.answer({ list_things: [{ total: "3", more: "hunter2" }] })
    await project.run(["exec", "script.ts", "list_things"])
    const drifted = () => project.run(["discover", "status"])
    const { code, stdout, stderr } = await eventually(drifted, (status) => status.stdout.includes(": drifted: "))
    expect(code).toBe(0)
    expect(stdout).toStartWith("things.list_things: drifted: 2 samples, total is a string, was a number; more is new\n")
    expect(stdout).toEndWith("1 declared, 0 discovered, 1 drifted, 6 unknown\n")
    expect(stderr).toContain("mcp-exec discover")
    expect(stdout).not.toContain("hunter2")
    const checked = await project.run(["skills", "check"])
    expect(checked.code).toBe(1)
    expect(checked.stdout).toContain("the results of things.list_things no longer fit their type (total is a string")
    await project.run(["discover"])
    expect((await project.run(["skills", "check"])).stdout).toBe("ok  report\n")
    expect((await project.json(["discover", "status", "things.list_things"])).value.tools[0]).toEqual({
      server: "things",
      tool: "list_things",
      quality: "discovered",
      samples: 4,
    })
    expect(project.types()).toContain("total: number | string")
  })

  test("is noted of what call prints, too", async () => {
    using project = learningProject({ list_things: [{ total: 1 }] }, { list_things: {} })
    await project.run(["discover"])
    project.answer({ list_things: [{ total: "3" }] })
    expect((await project.run(["call", "things.list_things"])).stdout).toContain('"total": "3"')
    const status = () => project.json(["discover", "status", "things.list_things"])
    const { value } = await eventually(status, ({ value }) => value.tools[0].quality === "drifted")
    expect(value.tools[0]).toMatchObject({ quality: "drifted", changes: ["total is a string, was a number"] })
  })
})

function filesBelow(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".json"))
    .map((name) => join(directory, name))
}
