import { describe, expect, test } from "bun:test"
import { fixtureServer } from "../fixtures/config.ts"
import { createProject } from "../fixtures/project.ts"
import { connectHttp, connectStdio, eras, startHttp } from "./served.ts"

const form = {
  message: "Your name?",
  requestedSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
}

const code = `import { callTool } from "mcp-exec"
const answers = []
for (const n of [1, 2]) {
  const { result } = await callTool("asks.ask", { method: "elicitation/create", params: ${JSON.stringify(form)} })
  answers.push(result)
}
answers`

for (const era of eras) {
  describe(`what a server asks while a script runs, in revision ${era},`, () => {
    test("is put to the client, whose answer goes back", async () => {
      using project = createProject({ servers: { asks: fixtureServer("asks") } })
      await using http = await startHttp(project)
      const asked: string[] = []
      const options = {
        era,
        capabilities: { elicitation: { form: {} } },
        prepare: (client: import("@modelcontextprotocol/client").Client) => {
          client.setRequestHandler("elicitation/create", ({ params }) => {
            asked.push(params.message)
            return { action: "accept", content: { name: `Ada ${asked.length}` } }
          })
        },
      }
      for (const connect of [() => connectStdio(project, options), () => connectHttp(http.url, options)]) {
        asked.length = 0
        await using served = await connect()
        const result = await served.run({ code })
        expect(asked).toEqual(["Server asks asks: Your name?", "Server asks asks: Your name?"])
        expect(JSON.parse(result.output)).toEqual([
          { action: "accept", content: { name: "Ada 1" } },
          { action: "accept", content: { name: "Ada 2" } },
        ])
      }
    })

    test("is declined when the client cannot be asked, or declines", async () => {
      using project = createProject({ servers: { asks: fixtureServer("asks") } })
      await using mute = await connectStdio(project, { era })
      expect(JSON.parse((await mute.run({ code })).output)).toEqual([{ action: "decline" }, { action: "decline" }])
      await using unwilling = await connectStdio(project, {
        era,
        capabilities: { elicitation: { form: {} } },
        prepare: (client) => client.setRequestHandler("elicitation/create", () => ({ action: "decline" })),
      })
      expect(JSON.parse((await unwilling.run({ code })).output)).toEqual([{ action: "decline" }, { action: "decline" }])
    })
  })
}
