// Servers that a script names are started while it loads, whether it comes to call them or not.
import { describe, expect, setDefaultTimeout, test } from "bun:test"
import { fixtureServer } from "../fixtures/config.ts"
import { eventually } from "../fixtures/eventually.ts"
import { createDaemonProject } from "./daemon-project.ts"

setDefaultTimeout(120_000)

// Its end comes when the server was seen, whether a script has called it or not.
const pause = 'while (!(await Bun.file("go").exists())) await Bun.sleep(20)'

const naming: Record<string, string> = {
  "an import of its wrappers": `import * as it from "#servers/echo"\nObject.keys(it)\n${pause}`,
  "a call that is never made": `import { callTool } from "mcp-exec"
${pause}
if (process.argv.includes("never")) await callTool("echo", "pid")`,
  "the servers that a skill declares": `import { skill } from "mcp-exec"
export default skill({ name: "script", description: "Waits", servers: ["echo"] }, async () => {
  ${pause}
})`,
}

for (const mode of ["without a daemon", "in a daemon"]) {
  describe.concurrent(`a server is started ahead ${mode}`, () => {
    for (const [name, script] of Object.entries(naming)) {
      test(`because of ${name}`, async () => {
        await using it = createDaemonProject({ config: {}, files: { "skills/script.ts": script } })
        const mcpServers = {
          echo: fixtureServer("echo", it.project.path("echo")),
          other: fixtureServer("echo", it.project.path("other")),
        }
        it.project.write({ "mcp_config.json": JSON.stringify({ mcpServers }) })
        const isDaemon = mode === "in a daemon"
        expect((await it.run(["generate"])).code).toBe(0)
        if (isDaemon) await it.startDaemon()
        const before = [it.lines("echo").length, it.lines("other").length]
        const options = isDaemon ? [] : ["--no-daemon"]
        const running = it.start(["exec", ...options, "skills/script.ts"])
        const started = () => ["echo", "other"].map((name, at) => it.lines(name).length - (before[at] ?? 0))
        await eventually(started, ([echo]) => echo === 1)
        it.project.write({ go: "" })
        expect(await running.finished).toMatchObject({ code: 0, stderr: "" })
        expect(started()).toEqual([1, 0])
      })
    }
  })
}
