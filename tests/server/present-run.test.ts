// Whatever a script says of itself, a model is shown no more than its budget.
import { afterAll, describe, expect, test } from "bun:test"
import { countTokens } from "gpt-tokenizer/encoding/o200k_base"
import { Artifacts } from "../../src/server/artifacts.ts"
import { presentRun } from "../../src/server/present-run.ts"
import { createProject } from "../fixtures/project.ts"

const project = createProject()
const artifacts = new Artifacts({ MCP_EXEC_CACHE_DIR: project.path("cache") })
afterAll(() => {
  artifacts.close()
  project[Symbol.dispose]()
})

type Run = Parameters<typeof presentRun>[0]

const quiet: Run & { ok: true } = { ok: true, exitCode: 0, durationMs: 1, stdout: "", stderr: "", toolCalls: [] }
const words = (count: number) => "some words of a script ".repeat(count / 5)
const call = (tool: string) => ({ server: "own", tool, ok: true, durationMs: 1, bytes: 10 })
const image = { type: "image", data: Buffer.alloc(300, 1).toString("base64"), mimeType: "image/png" }

const floods: Record<string, Run> = {
  "its output": { ...quiet, stdout: words(100_000) },
  "its errors": { ...quiet, stderr: words(100_000) },
  "both streams": { ...quiet, stdout: words(100_000), stderr: words(100_000) },
  "its last words": {
    ...quiet,
    ok: false,
    exitCode: 1,
    error: { code: "E_SCRIPT_FAILED", message: words(100_000), hint: words(100_000) },
  },
  "the names of tools": {
    ...quiet,
    toolCalls: Array.from({ length: 500 }, (_, at) => call(`${at} ${words(2000)}`)),
  },
  "a tool with a long name": { ...quiet, toolCalls: [call(words(100_000))] },
  "many images": { ...quiet, stdout: JSON.stringify(Array.from({ length: 90 }, () => image)) },
  "an image with a long name": {
    ...quiet,
    stdout: JSON.stringify({ uri: words(100_000), blob: image.data, mimeType: words(100_000) }),
  },
}
floods["all of it"] = Object.assign({}, ...Object.values(floods), {
  stdout: words(100_000),
  stderr: words(100_000),
  ok: false,
})

describe("a model is not flooded with", () => {
  for (const [name, run] of Object.entries(floods)) {
    for (const budget of [25_000, 4000]) {
      test(`${name}, on a budget of ${budget} tokens`, () => {
        const { content, structuredContent } = presentRun(run, artifacts, budget)
        expect(countTokens(JSON.stringify(structuredContent))).toBeLessThanOrEqual(budget)
        expect(countTokens(JSON.stringify(content))).toBeLessThanOrEqual(budget)
      })
    }
  }
})

test("of many calls the sums are told, and of many tools the first", () => {
  const toolCalls = Array.from({ length: 90 }, (_, at) => ({ ...call(`t${at % 30}`), ok: at > 0 }))
  const { toolCalls: told } = presentRun({ ...quiet, toolCalls }, artifacts, 1000).structuredContent as {
    toolCalls: unknown[]
  }
  expect(told).toHaveLength(21)
  expect(told[0]).toEqual({ server: "own", tool: "t0", calls: 3, failed: 1, bytes: 30 })
  expect(told.at(-1)).toEqual({ server: "…", tool: "10 others", calls: 30, failed: 0, bytes: 300 })
})
