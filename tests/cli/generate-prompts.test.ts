import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { countTokens } from "gpt-tokenizer/encoding/o200k_base"
import { createProject, type Project } from "../fixtures/project.ts"
import { fixture, official } from "./servers-config.ts"

let project: Project
beforeAll(async () => {
  project = createProject({ servers: { everything: official("everything"), memos: fixture("catalog") } })
  expect((await project.run(["generate"])).code).toBe(0)
}, 120_000)
afterAll(() => project[Symbol.dispose]())

const run = async (...argv: string[]) => {
  const { code, stdout, stderr } = await project.run(argv)
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
  return stdout
}

test("generated functions ask for real prompts and read real resources", async () => {
  project.write({
    "script.ts": `import { argsPrompt, dynamicTextResource, readResource, simplePrompt } from "./servers/everything/index.ts"
import { greetPrompt, memoResource } from "./servers/memos/index.ts"
const textOf = ({ messages }) => messages[0].content.text
console.log(JSON.stringify([
  textOf(await simplePrompt()),
  textOf(await argsPrompt({ city: "Rome", state: undefined })),
  textOf(await greetPrompt({ who: "you" })),
  (await readResource("demo://resource/static/document/features.md")).contents[0].text.split("\\n")[0],
  (await dynamicTextResource({ resourceId: 3 })).contents[0].uri,
  (await memoResource({ id: "a b/c" })).contents[0].text,
]))
`,
  })
  expect(JSON.parse(await run("exec", "script.ts"))).toEqual([
    "This is a simple prompt without arguments.",
    "What's weather in Rome?",
    "greet you",
    expect.stringContaining("Features"),
    "demo://resource/dynamic/text/3",
    "text of memo://a%20b%2Fc",
  ])
}, 120_000)

describe("ls", () => {
  test("counts prompts and resources of servers that have them", async () => {
    const lines = (await run("ls")).split("\n")
    expect(lines[0]).toMatch(/^everything {2}16 tools, 4 prompts, 9 resources {2}/)
    expect(lines[1]).toBe("memos  0 tools, 1 prompt, 3 resources  Read first")
  })

  test("lists prompts one by one, and resources where they are few", async () => {
    expect(await run("ls", "memos")).toBe(
      'greetPrompt(prompt)\nreadResource("memo://one")  One\nreadResource("memo://two")\nmemoResource(memo://{id})  Memo\n',
    )
    const stdout = await run("ls", "everything")
    expect(stdout).toContain("\nsimplePrompt(prompt)  A prompt with no arguments\n")
    expect(stdout).toContain("\nreadResource(uri)  7 resources: mcp-exec cat everything.readResource\n")
    const others = stdout.slice(stdout.indexOf("argsPrompt("))
    expect(others.trim().split("\n")).toHaveLength(7)
    expect(countTokens(others)).toBeLessThanOrEqual(140)
  })

  test("gives data with --json", async () => {
    const { prompts, resources } = JSON.parse(await run("ls", "memos", "--json"))
    expect(prompts).toEqual([{ name: "greet", export: "greetPrompt", description: "" }])
    expect(resources).toEqual({
      count: 2,
      listed: { "memo://one": "One", "memo://two": "" },
      templates: { "memo://{id}": { export: "memoResource", description: "Memo" } },
    })
    expect(JSON.parse(await run("ls", "--json")).servers[1]).toMatchObject({ tools: 0, prompts: 1, resources: 3 })
  })
})

describe("cat", () => {
  test("prints what is needed to ask for a prompt, by all its names", async () => {
    const want = `import { greetPrompt } from "#servers/memos"
type GreetPromptParams = { who: string }
function greetPrompt(params: GreetPromptParams): Promise<PromptResult>
`
    for (const name of ["memos.greetPrompt", "memos.greet", "memos/greet_prompt"]) {
      expect(await run("cat", name)).toBe(want)
    }
  })

  test("prints what is needed to read a resource", async () => {
    expect(await run("cat", "memos.memoResource")).toBe(`import { memoResource } from "#servers/memos"
type MemoResourceParams = { id: string | number }
/** Memo (memo://{id}) */
function memoResource(params: MemoResourceParams): Promise<ResourceResult>
`)
    const stdout = await run("cat", "everything.readResource")
    expect(stdout).toContain('| "demo://resource/static/document/features.md"\n')
    expect(stdout).toEndWith("function readResource(uri: ResourceUri): Promise<ResourceResult>\n")
  })

  test("of a server mentions both", async () => {
    expect(await run("cat", "memos")).toBe(`# memos

Read first.

Prompts:

- \`greetPrompt\`

Resources:

- \`readResource\` one of these 2:
  - memo://one One
  - memo://two
- \`memoResource\` memo://{id} Memo
`)
  })

  test("prints the file itself with --source, and data with --json", async () => {
    expect(await run("cat", "memos.greet", "--source")).toContain('return get("memos", "greet", params, options)')
    expect(JSON.parse(await run("cat", "memos.greet", "--json"))).toMatchObject({
      server: "memos",
      prompt: "greet",
      export: "greetPrompt",
      file: "servers/memos/prompts.ts",
    })
  })

  test("suggests a prompt, too", async () => {
    const { code, stderr } = await project.run(["cat", "everything.simplPrompt"])
    expect(code).toBe(2)
    expect(stderr).toContain("hint: Did you mean 'simplePrompt'?")
  })
})
