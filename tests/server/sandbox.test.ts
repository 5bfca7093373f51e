import { afterAll, describe, expect, test } from "bun:test"
import { ownerLabel } from "../../src/harness/container/launch.ts"
import { createProject } from "../fixtures/project.ts"
import { builtProgram, engines, sandboxEnv } from "../sandbox/program.ts"
import { connectHttp, connectStdio, startHttp } from "./served.ts"

const slow = 60_000

for (const runtime of engines.slice(0, 1)) {
  describe(`with the sandbox of ${runtime}`, () => {
    const project = createProject({
      servers: { own: { type: "builtin", name: "echo" } },
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
await Bun.sleep(200)
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
        const http = await startHttp(project, { program: [builtProgram()], env: sandboxEnv() })
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
        await served.client.close()
        expect(await http.end()).toBe(143)
        const list = [runtime, "ps", "--all", "--quiet", "--filter", `label=${ownerLabel}=${http.pid}`]
        expect(Bun.spawnSync(list).stdout.toString()).toBe("")
      },
      slow * 2,
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
          { code: "console.log(1); await new Promise((r) => setTimeout(r, 20000))" },
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
