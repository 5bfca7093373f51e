// Speaks to the broker as no guest does: other tokens, its own token twice, garbage, too much, too little.
import { callTool } from "mcp-exec"
import { attemptFor } from "./attempt.ts"

const { MCP_EXEC_BROKER: address = "", MCP_EXEC_TOKEN: token = "" } = process.env
console.log(JSON.stringify(await callTool("echo.echo", { before: true })))

/** Sends text over a connection of its own; resolves only when the broker has let it in. */
function speak(...texts: (string | Uint8Array)[]): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let heard = ""
  Bun.connect({
    unix: address,
    socket: {
      async open(socket) {
        for (const text of texts) {
          for (let bytes = Buffer.from(text); bytes.length > 0; ) {
            const taken = socket.write(bytes)
            if (taken < 0) return
            bytes = bytes.subarray(taken)
            if (bytes.length > 0) await Bun.sleep(1)
          }
        }
      },
      data(_, chunk) {
        heard += chunk.toString()
        if (heard.includes("welcome") || heard.includes("result")) resolve(heard)
      },
      close: () => reject(new Error(`closed: ${heard.slice(0, 100).trim()}`)),
      error: (_, error) => reject(error),
      connectError: (_, error) => reject(error),
    },
  }).catch(reject)
  return promise
}
const hello = (word: string) => `${JSON.stringify({ type: "hello", version: 1, token: word })}\n`
const call = `${JSON.stringify({ type: "call", id: 1, server: "echo", tool: "echo", args: {} })}\n`

await attemptFor(3000, "its own token again", () => speak(hello(token)))
await attemptFor(3000, "no token", () => speak(hello("")))
for (let guess = 0; guess < 200; guess++) {
  await attemptFor(3000, "a guessed token", () => speak(hello(`${guess}-${guess}-${guess}-${guess}`)))
}
await attemptFor(3000, "a call without a hello", () => speak(call))
await attemptFor(3000, "garbage", () => speak(crypto.getRandomValues(new Uint8Array(65536)), "\n"))
await attemptFor(3000, "half a message", () => speak('{"type":"hello","version":1,"tok'))
await attemptFor(3000, "deep nesting", () => speak(`${"[".repeat(100_000)}\n`))
await attemptFor(3000, "a crowd", async () => {
  const crowd = Array.from({ length: 500 }, () => speak('{"type":"hello"'))
  await Promise.any(crowd)
})
await attemptFor(20_000, "a message without an end", async () => {
  return await speak(...Array<Uint8Array>(300).fill(new Uint8Array(1 << 20).fill(0x20)))
})
console.log(JSON.stringify(await callTool("echo.echo", { after: true })))
console.log("done")
// Half a message is still on its way.
process.exit(0)
