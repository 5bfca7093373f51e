// Whose environment a daemon's servers have, from the command line.
import { describe, expect, setDefaultTimeout, test } from "bun:test"
import { fixtureServer, placeholder } from "../fixtures/config.ts"
import { waitForEnd, waitForOutput } from "../fixtures/project.ts"
import { callScript, createDaemonProject } from "./daemon-project.ts"

setDefaultTimeout(120_000)

const keyed = { ...fixtureServer("echo"), env: { KEY: placeholder("SECRET") } }

describe.concurrent("a server of a daemon", () => {
  test("has the environment of the command that first used it, not of the one that started the daemon", async () => {
    await using it = createDaemonProject({ servers: { one: fixtureServer("echo") } })
    await it.startDaemon({ LANG: "C", TZ: "UTC" })
    const environment = async (env: Record<string, string>) => {
      const { stdout } = await it.run(["call", "--json", "one.environment"], { env })
      return JSON.parse(stdout).env as Record<string, string>
    }
    const first = await environment({ LANG: "de_DE.UTF-8", UNRELATED: "x" })
    expect(first).toMatchObject({ LANG: "de_DE.UTF-8", HOME: it.project.directory })
    expect(first).not.toHaveProperty("TZ")
    expect(first).not.toHaveProperty("UNRELATED")
    expect(await environment({ LANG: "C" })).toEqual(first)
  })

  test("is started anew for other credentials, and the call that is under way with the old ones ends well", async () => {
    await using it = createDaemonProject({
      servers: { one: keyed },
      files: {
        "wait.ts": `import { callTool } from "mcp-exec"
console.log(await callTool("one", "pid"))
console.log(await callTool("one", "wait", { ms: 3000 }), (await callTool("one", "environment")).env.KEY)`,
        "key.ts": callScript("one", "environment"),
      },
    })
    await it.startDaemon()
    const alice = it.start(["exec", "wait.ts"], { env: { SECRET: "of-alice" } })
    const pid = Number(await waitForOutput(alice, "\n"))
    const bob = await it.run(["exec", "key.ts"], { env: { SECRET: "of-bob" } })
    expect(JSON.parse(bob.stdout).env.KEY).toBe("of-bob")
    expect(await alice.finished).toEqual({ code: 0, stdout: `${pid}\nwaited of-alice\n`, stderr: "" })
    await waitForEnd(pid)
    const again = await it.run(["exec", "key.ts"], { env: { SECRET: "of-bob" } })
    expect(JSON.parse(again.stdout).env.KEY).toBe("of-bob")
  })
})
