import { afterAll, describe, expect, test } from "bun:test"
import { mkdirSync } from "node:fs"
import { folderLabel } from "../../src/harness/container/launch.ts"
import { fixtureServer } from "../fixtures/config.ts"
import { createProject, type Project } from "../fixtures/project.ts"
import { builtProgram, engines, sandboxEnv } from "../sandbox/program.ts"
import { walledEnv } from "../sandbox/walled.ts"
import { connectHttp, connectStdio, startHttp } from "./served.ts"

const slow = 120_000

for (const runtime of engines.slice(0, 1)) {
  describe(`with the sandbox of ${runtime}`, () => {
    const project = createProject({
      servers: { own: { type: "builtin", name: "echo" }, asks: fixtureServer("asks") },
      config: { sandbox: { runtime, enabled: true } },
    })
    afterAll(() => project[Symbol.dispose]())
    const connect = () => connectStdio(project, { program: [builtProgram()], env: sandboxEnv() })

    test(
      "scripts run in it, call tools, and tell what they print",
      async () => {
        await using served = await connect()
        const code = `import { callTool } from "mcp-exec"
console.log(process.env.HOME, process.cwd() === "/" || !require("node:fs").existsSync("/etc/shadow"))
await Bun.sleep(2000)
await callTool("own.add", { a: 1, b: 2 })`
        const heard: string[] = []
        const onprogress = ({ message }: { message?: string }) => void heard.push(message ?? "")
        const result = await served.run({ code }, { onprogress, timeout: slow })
        expect(result).toMatchObject({
          ok: true,
          output: '/tmp true\n{"sum":3}\n',
          toolCalls: [{ tool: "add", ok: true }],
        })
        expect(heard.join("")).toContain("/tmp true\n")
      },
      slow,
    )

    test(
      "many at once are answered, some given up, and no container is left",
      async () => {
        const env = apart("many", project)
        const http = await startHttp(project, { program: [builtProgram()], env })
        const served = await connectHttp(http.url)
        const code = 'import { callTool } from "mcp-exec"\n(await callTool("own.add", { a: 1, b: 2 })).sum'
        const runs = Array.from({ length: 16 }, (_, at) => {
          if (at % 4 > 0) return served.run({ code }, { timeout: slow }).then(({ output }) => output)
          const call = served.run({ code: "for (;;) {}" }, { timeout: slow, signal: AbortSignal.timeout(1500) })
          return call.then(
            () => "answered",
            () => "given up",
          )
        })
        const want = Array.from({ length: 16 }, (_, at) => (at % 4 > 0 ? "3\n" : "given up"))
        expect(await Promise.all(runs)).toEqual(want)
        // Some wait for the next scripts: the count below can be trusted.
        expect(containersOf(runtime, env).length).toBeGreaterThan(0)
        await served.client.close()
        expect(await http.end()).toBe(143)
        expect(containersOf(runtime, env)).toEqual([])
      },
      slow * 2,
    )

    test(
      "a session keeps its variables in one container, until it is reset, runs out of time, or its client goes",
      async () => {
        await project.run(["generate", "own"])
        const env = apart("session", project)
        const http = await startHttp(project, { program: [builtProgram()], env })
        const served = await connectHttp(http.url)
        const run = (code: string, more: object = {}) =>
          served.run({ session: "s", code, ...more }, { timeout: slow }).then(({ ok, output, error }) => {
            return ok ? output : `${error?.code} ${error?.message}`
          })
        expect(await run("const a: number = 20; require('node:fs').existsSync('/etc/shadow')")).toBe("false\n")
        expect(await run('import { add } from "#servers/own"\n(await add({ a, b: 1 })).sum')).toBe("21\n")
        expect(await run("throw new Error('no')")).toContain("E_SCRIPT_FAILED Error: no")
        expect(await run("a + 1")).toBe("21\n")
        expect(await run("typeof a", { reset: true })).toBe("undefined\n")
        expect(await run("let b = 1; while (true) {}", { timeout: 1 })).toMatch(
          /^E_SCRIPT_TIMEOUT .*variables are lost/,
        )
        expect(await run("typeof b")).toBe("undefined\n")
        expect(containersOf(runtime, env).length).toBeGreaterThan(0)
        const eater = "const all = []; for (;;) all.push(Buffer.alloc(1 << 24, 1))"
        expect(await run(eater)).toMatch(/^E_SCRIPT_MEMORY .*variables are lost/)
        await run("1")
        await served.client.transport?.close()
        expect(await http.end()).toBe(143)
        expect(containersOf(runtime, env)).toEqual([])
      },
      slow * 2,
    )

    test(
      "a session works where no socket can be shown to a container",
      async () => {
        const env = { ...sandboxEnv(), ...walledEnv(runtime) }
        await using served = await connectStdio(project, { program: [builtProgram()], env })
        const run = (code: string) => served.run({ session: "s", code }, { timeout: slow })
        expect(await run("let a = 1")).toMatchObject({ ok: true, output: "" })
        const call = "import { callTool } from 'mcp-exec'\n(await callTool('own.add', { a, b: 1 })).sum"
        expect(await run(call)).toMatchObject({ ok: true, output: "2\n" })
        expect(await run(`"${"y".repeat(300_000)}".length`)).toMatchObject({ ok: true, output: "300000\n" })
      },
      slow * 2,
    )

    test(
      "a script's time stands still while the user is asked, and goes on after",
      async () => {
        await using served = await connectStdio(project, {
          program: [builtProgram()],
          env: sandboxEnv(),
          capabilities: { elicitation: { form: {} } },
          prepare: (client) => {
            client.setRequestHandler("elicitation/create", async () => {
              await Bun.sleep(6000)
              return { action: "accept", content: { name: "Ada" } }
            })
          },
        })
        const form = { message: "Who?", requestedSchema: { type: "object", properties: { name: { type: "string" } } } }
        const code = `import { callTool } from "mcp-exec"
(await callTool("asks.ask", { method: "elicitation/create", params: ${JSON.stringify(form)} })).result.content.name`
        const options = { timeout: slow }
        expect(await served.run({ code, timeout: 5 }, options)).toMatchObject({ ok: true, output: "Ada\n" })
        expect(await served.run({ code, timeout: 5, session: "s" }, options)).toMatchObject({ output: "Ada\n" })
        const forever = `${code}\nawait new Promise((resolve) => setTimeout(resolve, 60_000))`
        expect(await served.run({ code: forever, timeout: 5 }, options)).toMatchObject({
          ok: false,
          exitCode: 124,
          error: { code: "E_SCRIPT_TIMEOUT", hint: expect.stringContaining("timeout (seconds)") },
        })
      },
      slow,
    )

    test(
      "a script cannot read the connection, and ends with its call",
      async () => {
        await using served = await connect()
        const read = await served.run(
          { code: "let n = 0; for await (const c of process.stdin) n += c.length; n" },
          { timeout: slow },
        )
        expect(read).toMatchObject({ ok: true, output: "0\n" })
        const stop = new AbortController()
        const call = served.run(
          { code: "console.log(1); await new Promise((r) => setTimeout(r, 100000))" },
          {
            signal: stop.signal,
            onprogress: () => stop.abort(),
          },
        )
        await expect(call).rejects.toThrow()
        // Its place is free again long before its time would have been up.
        expect(await served.run({ code: "2" }, { timeout: slow })).toMatchObject({ ok: true, output: "2\n" })
      },
      slow,
    )
  })
}

/** A folder for sockets of its own, so that its containers can be told from those of other tests. */
function apart(name: string, project: Project): Record<string, string> {
  const folder = project.path(name)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return { ...sandboxEnv(), XDG_RUNTIME_DIR: folder }
}

/** All that were started with such a folder, also those that wait for a script. */
function containersOf(engine: string, { XDG_RUNTIME_DIR }: Record<string, string>): string[] {
  const label = `label=${folderLabel}=${XDG_RUNTIME_DIR}/mcp-exec`
  const { stdout } = Bun.spawnSync([engine, "ps", "--all", "--quiet", "--filter", label])
  return stdout.toString().split("\n").filter(Boolean)
}
