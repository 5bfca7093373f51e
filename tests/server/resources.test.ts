import { describe, expect, test } from "bun:test"
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { eventually } from "../fixtures/eventually.ts"
import { createProject } from "../fixtures/project.ts"
import { connectHttp, connectStdio, eras, startHttp } from "./served.ts"

const skill = (name: string) => `import { skill } from "mcp-exec"
export default skill({ name: "${name}", description: "Does ${name}." }, async () => 1)`

function makeProject() {
  return createProject({
    servers: { own: { type: "builtin", name: "echo" } },
    files: {
      "skills/hello.ts": skill("hello"),
      "workspace/a b.json": '{"a":1}',
      "workspace/deep/er/note.md": "# Hi",
      "workspace/.hidden": "no",
      "secret.txt": "secret",
    },
  })
}

for (const era of eras) {
  describe(`resources in revision ${era}`, () => {
    test("are the skills, the servers and the files of the workspace", async () => {
      using project = makeProject()
      await using served = await connectStdio(project, { era })
      await served.call("generate_wrappers")
      const { resources } = await served.client.listResources()
      expect(resources.map(({ uri }) => uri)).toEqual([
        "mcp-exec://servers/own",
        "mcp-exec://skills/hello",
        "mcp-exec://workspace/a%20b.json",
        "mcp-exec://workspace/deep/er/note.md",
      ])
      const read = async (uri: string) => (await served.client.readResource({ uri })).contents[0]
      expect(await read("mcp-exec://skills/hello")).toMatchObject({ text: expect.stringContaining("Does hello.") })
      const schema = '{"type":"object","properties":{},"additionalProperties":false}'
      expect(await read("mcp-exec://skills/hello")).toMatchObject({ text: expect.stringContaining(schema) })
      expect((await served.call("search_tools", { query: "hello", detail: "full" })).text).toContain(schema)
      expect(await read("mcp-exec://servers/own")).toMatchObject({ text: expect.stringContaining("add") })
      expect(await read("mcp-exec://servers/own/add")).toMatchObject({
        text: expect.stringContaining("import { add }"),
      })
      expect(await read("mcp-exec://workspace/a%20b.json")).toMatchObject({
        text: '{"a":1}',
        mimeType: "application/json",
      })
      expect(await read("mcp-exec://workspace/deep/er/note.md")).toMatchObject({ text: "# Hi" })
      expect((await served.client.listResourceTemplates()).resourceTemplates.map(({ name }) => name)).toContain(
        "artifact",
      )
    })
  })
}

describe("a resource", () => {
  test("that is binary comes as such", async () => {
    using project = makeProject()
    writeFileSync(project.path("workspace/dot.png"), new Uint8Array([137, 80, 78, 71, 0, 255]))
    await using served = await connectStdio(project)
    const { contents } = await served.client.readResource({ uri: "mcp-exec://workspace/dot.png" })
    expect(contents[0]).toMatchObject({ mimeType: "image/png", blob: "iVBORwD/" })
  })

  test("outside of the workspace cannot be read, whatever it is called", async () => {
    using project = makeProject()
    symlinkSync(project.path("secret.txt"), project.path("workspace/link.txt"))
    symlinkSync(project.directory, project.path("workspace/up"))
    mkdirSync(project.path("workspace-other"))
    writeFileSync(project.path("workspace-other/secret.txt"), "secret")
    await using served = await connectStdio(project)
    const wrong = [
      "mcp-exec://workspace/../secret.txt",
      "mcp-exec://workspace/%2e%2e/secret.txt",
      "mcp-exec://workspace/..%2fsecret.txt",
      "mcp-exec://workspace/deep/%2e%2e/%2e%2e/secret.txt",
      "mcp-exec://workspace/link.txt",
      "mcp-exec://workspace/up/secret.txt",
      "mcp-exec://workspace/..%2fworkspace-other%2fsecret.txt",
      "mcp-exec://workspace//etc/passwd",
      "mcp-exec://workspace/%2fetc%2fpasswd",
      "mcp-exec://workspace/deep",
      "mcp-exec://workspace/missing",
      "mcp-exec://skills/nope",
      "mcp-exec://skills/..%2fsecret",
      "mcp-exec://servers/own/nope",
      "mcp-exec://artifacts/nope",
      "mcp-exec://other/x",
      "file:///etc/passwd",
      "nonsense",
    ]
    for (const uri of wrong) await expect(served.client.readResource({ uri })).rejects.toThrow()
    const { resources } = await served.client.listResources()
    expect(resources.map(({ name }) => name)).not.toContain("link.txt")
  })

  test("is one of many, in pages", async () => {
    using project = makeProject()
    project.write(Object.fromEntries(Array.from({ length: 250 }, (_, at) => [`workspace/many/${at}.txt`, "x"])))
    await using served = await connectStdio(project)
    const seen: string[] = []
    let pages = 0
    let cursor: string | undefined
    do {
      const page = await served.client.request({ method: "resources/list", params: { ...(cursor && { cursor }) } })
      seen.push(...page.resources.map(({ uri }) => uri))
      cursor = page.nextCursor
      pages += 1
    } while (cursor !== undefined)
    expect(pages).toBe(3)
    expect(new Set(seen).size).toBe(253)
  })
})

describe("a change of skills or servers", () => {
  for (const era of eras) {
    for (const over of ["stdio", "HTTP"]) {
      test(`is told to a client over ${over}, in revision ${era}`, async () => {
        using project = makeProject()
        let told = 0
        const options = { era, onResourcesChanged: () => void told++ }
        await using http = over === "HTTP" ? await startHttp(project) : undefined
        await using served = await (http ? connectHttp(http.url, options) : connectStdio(project, options))
        await served.client.listResources()
        // Over HTTP the stream of what is told is opened behind the handshake: what changes before is not told.
        const changing = setInterval(() => project.write({ "skills/other.ts": skill("other") }), 500)
        await eventually(() => told > 0).finally(() => clearInterval(changing))
        const { resources } = await served.client.listResources()
        expect(resources.map(({ name }) => name)).toContain("other")
        await Bun.sleep(300)
        const before = told
        // The folder does not exist yet.
        await served.call("generate_wrappers")
        await eventually(() => told > before)
      })
    }
  }
})

test("the one prompt teaches the loop", async () => {
  using project = createProject()
  await using served = await connectStdio(project)
  const { messages } = await served.client.getPrompt({ name: "mcp-exec" })
  const [message] = messages
  const text = message?.content.type === "text" ? message.content.text : ""
  for (const word of ["search_tools", "execute_script", "generate_wrappers", "#servers/"]) expect(text).toContain(word)
  expect(text).not.toContain("<!--")
  await expect(served.client.getPrompt({ name: "other" })).rejects.toThrow("There is no prompt other")
})
