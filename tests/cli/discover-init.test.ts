import { describe, expect, test } from "bun:test"
import { chmodSync, existsSync } from "node:fs"
import { learningProject } from "./discover-project.ts"

const safeTools = (text: string) => JSON.parse(text).servers.things.safeTools
const guessed = {
  list_things: {},
  getStatus: {},
  get_loose: {},
  get_broken: {},
  get_thing: { owner: "<fill in: owner (string)>" },
}

describe("discover init", () => {
  test("lists the tools that only read, tells why, and calls nothing", async () => {
    using project = learningProject({})
    const { code, stdout, stderr } = await project.run(["discover", "init"])
    expect(code).toBe(0)
    expect(safeTools(project.read("discovery_config.json"))).toEqual(guessed)
    expect(stdout.split("\n")).toEqual([
      "things.list_things: taken: the server says that it only reads",
      "things.get_thing: to be filled in: owner",
      'things.getStatus: taken: its name says "get"',
      "things.get_loose: taken: the server says that it only reads",
      "things.get_broken: taken: the server says that it only reads",
      'things.delete_thing: skipped, dangerous: its name says "delete"',
      "things.reset: skipped, dangerous: the server says that it is destructive",
      "things.frobnicate: skipped, unknown: no word tells",
      `4 taken, 1 to be filled in, 3 skipped: ${project.path("discovery_config.json")}`,
      "",
    ])
    expect(stderr).toContain("mcp-exec discover")
    expect(project.calls()).toEqual([])
  })

  test("gives a file that discover understands", async () => {
    using project = learningProject({ list_things: [{ a: 1 }], getStatus: ["fine"] })
    await project.run(["discover", "init"])
    const { value } = await project.json(["discover"])
    const outcomes = value.tools.map(({ tool, outcome }: { tool: string; outcome: string }) => `${tool} ${outcome}`)
    expect(outcomes).toEqual([
      "list_things discovered",
      "get_thing skipped",
      "getStatus discovered",
      "get_loose failed",
      "get_broken failed",
    ])
  })

  test("adds to a file that is there, and leaves the rest of it as it is", async () => {
    using project = learningProject({})
    const text = `{
  // mine
  "servers": { "things": { "safeTools": { "get_thing": { "owner": "acme" } } }, "other": { "safeTools": { "x": {} } } }
}
`
    project.write({ "discovery_config.json": text })
    const { value } = await project.json(["discover", "init"])
    expect(value).toMatchObject({ written: true, kept: 2 })
    const now = project.read("discovery_config.json")
    expect(now).toContain("// mine")
    const { things, other } = JSON.parse(now.replace("// mine", "")).servers
    expect(things.safeTools).toEqual({ ...guessed, get_thing: { owner: "acme" } })
    expect(other).toEqual({ safeTools: { x: {} } })
    const again = await project.json(["discover", "init"])
    expect(again.value).toMatchObject({ written: false, taken: [] })
    expect(project.read("discovery_config.json")).toBe(now)
    await project.run(["discover", "init", "--force"])
    expect(safeTools(project.read("discovery_config.json"))).toEqual(guessed)
  })

  test("adds to a flat file in its own form", async () => {
    using project = learningProject({})
    project.write({ "discovery_config.json": '{"things__get_thing": {"owner": "acme"}}' })
    await project.run(["discover", "init"])
    expect(Object.keys(JSON.parse(project.read("discovery_config.json"))).sort()).toEqual([
      "things__getStatus",
      "things__get_broken",
      "things__get_loose",
      "things__get_thing",
      "things__list_things",
    ])
  })

  test("leaves a file alone that it does not understand", async () => {
    using project = learningProject({})
    project.write({ "discovery_config.json": '{"servers": []}' })
    const { code, stderr } = await project.run(["discover", "init"])
    expect({ code, text: project.read("discovery_config.json") }).toEqual({ code: 3, text: '{"servers": []}' })
    expect(stderr).toContain("servers: found an array")
  })

  test("takes the others when a server cannot be reached, and ends with 4", async () => {
    using project = learningProject({})
    const config = JSON.parse(project.read("mcp_config.json"))
    config.mcpServers.gone = { command: "/nowhere/at-all" }
    project.write({ "mcp_config.json": JSON.stringify(config) })
    const { code, value } = await project.json(["discover", "init"])
    expect(code).toBe(4)
    expect(value.failures).toMatchObject([{ server: "gone", error: { code: "E_SERVER_CONNECT" } }])
    expect(value.taken).toHaveLength(5)
    expect((await project.run(["discover", "init", "thinks"])).stderr).toContain("Did you mean 'things'?")
  })
})

interface Question {
  path: string
  text: string
}

/** A server that answers each question about a tool with what is given for it. */
function models(answers: Record<string, unknown>) {
  const questions: Question[] = []
  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      const { messages } = (await request.json()) as { messages: { content: string }[] }
      const text = messages[0]?.content ?? ""
      questions.push({ path: new URL(request.url).pathname, text })
      const tool = Object.keys(answers).find((name) => text.includes(`"name":"${name}"`))
      if (tool === undefined) return new Response("no", { status: 500 })
      const content = JSON.stringify(answers[tool])
      return Response.json({ content: [{ type: "text", text: content }], choices: [{ message: { content } }] })
    },
  })
  return { url: `http://localhost:${server.port}`, questions, [Symbol.dispose]: () => server.stop(true) }
}

describe("discover init --llm", () => {
  test("asks Anthropic's model, and goes by the schema where it does not know", async () => {
    using project = learningProject({})
    using server = models({ get_thing: { owner: "acme" }, list_things: ["not", "arguments"] })
    const env = { ANTHROPIC_API_KEY: "sk-test", ANTHROPIC_BASE_URL: server.url }
    const { code, stderr } = await project.run(["discover", "init", "--llm"], { env })
    expect(code).toBe(0)
    expect(safeTools(project.read("discovery_config.json"))).toEqual({ ...guessed, get_thing: { owner: "acme" } })
    expect(stderr).toContain("things.list_things: the model gave no arguments")
    expect(stderr).not.toContain("sk-test")
    expect(server.questions.map(({ path }) => path)).toEqual(Array(2).fill("/v1/messages"))
    expect(server.questions.map(({ text }) => text).join()).not.toContain("delete_thing")
  })

  test("asks an endpoint by its URL", async () => {
    using project = learningProject({})
    using server = models({ get_thing: { owner: "acme" } })
    await project.run(["discover", "init", "--llm", `${server.url}/v1`, "--llm-model", "local"])
    expect(safeTools(project.read("discovery_config.json")).get_thing).toEqual({ owner: "acme" })
    expect(server.questions[0]?.path).toBe("/v1/chat/completions")
  })

  test("asks the program claude when there is no key", async () => {
    using project = learningProject({}, undefined)
    project.write({ "bin/claude": '#!/bin/sh\ncat > /dev/null\necho \'{"owner": "claude"}\'\n' })
    chmodSync(project.path("bin/claude"), 0o755)
    const env = { PATH: `${project.path("bin")}:${process.env.PATH}` }
    await project.run(["discover", "init", "--llm"], { env })
    expect(safeTools(project.read("discovery_config.json")).get_thing).toEqual({ owner: "claude" })
  })

  test("goes by the schema alone when there is no model at all", async () => {
    using project = learningProject({})
    const { code, stderr } = await project.run(["discover", "init", "--llm", "http://localhost:9"])
    expect(code).toBe(0)
    expect(safeTools(project.read("discovery_config.json"))).toEqual(guessed)
    expect(stderr).toContain("the schema has to do")
  })

  test("tells once that no model can be had, and goes by the schema", async () => {
    using project = learningProject({})
    const { code, stderr } = await project.run(["discover", "init", "--llm"], { env: { PATH: project.path("bin") } })
    expect(code).toBe(0)
    expect(safeTools(project.read("discovery_config.json"))).toEqual(guessed)
    expect(stderr.match(/\[WARNING\]/g)).toHaveLength(1)
    expect(stderr).toContain("No model can be asked")
    expect(stderr).toContain("--llm URL")
  })

  const wrong = [
    { args: ["--llm", "claude"], want: "There is no program 'claude'" },
    { args: ["--llm", "gpt"], want: "There is no model 'gpt'" },
    { args: ["--llm", "anthropic"], want: "ANTHROPIC_API_KEY is not set" },
  ]
  for (const { args, want } of wrong) {
    test(`${args.join(" ")} is refused: ${want}`, async () => {
      using project = learningProject({})
      const { code, stderr } = await project.run(["discover", "init", ...args], { env: { PATH: project.path("bin") } })
      expect(code).toBe(2)
      expect(stderr).toContain(want)
      expect(existsSync(project.path("discovery_config.json"))).toBe(false)
    })
  }
})
