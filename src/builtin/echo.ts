// Tools without effects: for trying things out, for tests and for measuring everything around them.
import { type BuiltinTool, errorResult } from "./tool-server.ts"

const maxSleepMs = 2 ** 31 - 1

/** The tools of the echo server. */
export function createEchoTools(): BuiltinTool[] {
  return [echo, add, fail, sleep]
}

const pure = { readOnlyHint: true, idempotentHint: true, openWorldHint: false }

const echo: BuiltinTool = {
  name: "echo",
  description: "Returns its arguments",
  inputSchema: { type: "object", additionalProperties: true },
  outputSchema: { type: "object", additionalProperties: true },
  annotations: pure,
  call: (args) => ({ content: [textOf(args)], structuredContent: args }),
}

/** For those who do not know structured content: who takes that does not pay for the text, which may be as large. */
function textOf(args: Record<string, unknown>): { type: "text"; text: string } {
  return {
    type: "text",
    get text() {
      return JSON.stringify(args)
    },
  }
}

const add: BuiltinTool = {
  name: "add",
  description: "Adds two numbers",
  inputSchema: {
    type: "object",
    properties: { a: { type: "number" }, b: { type: "number" } },
    required: ["a", "b"],
  },
  outputSchema: { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] },
  annotations: pure,
  call({ a, b }) {
    if (typeof a !== "number" || typeof b !== "number") return errorResult("a and b must be numbers")
    const result = { sum: a + b }
    return { content: [{ type: "text", text: JSON.stringify(result) }], structuredContent: result }
  },
}

const fail: BuiltinTool = {
  name: "fail",
  description: "Fails with the given message",
  inputSchema: { type: "object", properties: { message: { type: "string" } }, required: ["message"] },
  annotations: pure,
  call: ({ message }) => errorResult(typeof message === "string" ? message : "failed as asked"),
}

const sleep: BuiltinTool = {
  name: "sleep",
  description: "Answers after some milliseconds",
  inputSchema: {
    type: "object",
    properties: { ms: { type: "number", minimum: 0, maximum: maxSleepMs } },
    required: ["ms"],
  },
  outputSchema: { type: "object", properties: { ms: { type: "number" } }, required: ["ms"] },
  annotations: pure,
  async call({ ms }, { signal }) {
    if (typeof ms !== "number" || !(ms >= 0 && ms <= maxSleepMs))
      return errorResult(`ms must be from 0 to ${maxSleepMs}`)
    await waitFor(ms, signal)
    return { content: [{ type: "text", text: `slept ${ms} ms` }], structuredContent: { ms } }
  },
}

function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", onAbort)
      resolve()
    }, ms)
    if (signal.aborted) onAbort()
    else signal.addEventListener("abort", onAbort, { once: true })
  })
}
