import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import { repository } from "../fixtures/project.ts"

const listen = join(repository, "src/server/listen.ts")

// Answers with what it was asked, streams, and tells when its client has gone.
const program = `
import { startListening } from ${JSON.stringify(listen)}
let gone
const left = new Promise((resolve) => { gone = resolve })
const server = await startListening({ host: "127.0.0.1", port: 0, maxBodyBytes: 1000 }, async (request, peer) => {
  const { pathname } = new URL(request.url)
  if (pathname === "/echo") return Response.json({ method: request.method, text: await request.text(), peer })
  request.signal.addEventListener("abort", () => gone("left"))
  const body = new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode("first")) })
  return new Response(body, { headers: { "X-Kind": "stream" } })
})
const url = "http://127.0.0.1:" + server.port
const echoed = await (await fetch(url + "/echo", { method: "POST", body: "hello" })).json()
const leave = new AbortController()
const streamed = await fetch(url + "/stream", { signal: leave.signal })
const { value } = await streamed.body.getReader().read()
leave.abort()
const end = await left
const taken = await startListening({ host: "127.0.0.1", port: server.port, maxBodyBytes: 1 }, async () => new Response())
  .catch(({ code, hint }) => ({ code, hint }))
server.stopAccepting()
await server.close()
console.log(JSON.stringify({ echoed, kind: streamed.headers.get("X-Kind"), value: new TextDecoder().decode(value), end, taken }))
`

describe("an HTTP server of functions", () => {
  const runtimes = {
    bun: [process.execPath, "-e"],
    deno: [join(repository, "node_modules/.bin/deno"), "eval"],
    node: [join(repository, "node_modules/.bin/node"), "--experimental-strip-types", "--input-type=module", "-e"],
  }
  for (const [name, command] of Object.entries(runtimes)) {
    test(`answers, streams and notices who goes, under ${name}`, async () => {
      const child = Bun.spawn([...command, program], { stdout: "pipe", stderr: "pipe", cwd: repository })
      const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
      expect(stdout, stderr).not.toBe("")
      expect(JSON.parse(stdout)).toEqual({
        echoed: { method: "POST", text: "hello", peer: { address: "127.0.0.1" } },
        kind: "stream",
        value: "first",
        end: "left",
        taken: { code: "E_USAGE", hint: "Give another port; 0 takes a free one." },
      })
    })
  }
})
