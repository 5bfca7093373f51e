// What holds for whatever tools answer. The cases are the same each time; more, or others: FC_RUNS=2000 FC_SEED=7.
import { describe, expect, setDefaultTimeout, test } from "bun:test"
import fc from "fast-check"
import { loadQuicktype } from "../../src/discovery/infer.ts"
import { printDiscovered } from "../../src/discovery/print.ts"
import { addSample, addShape, emptyShape, type ToolShape } from "../../src/discovery/shape.ts"
import { readShapes, writeShapes } from "../../src/discovery/shape-file.ts"
import { settleWords } from "../../src/discovery/words.ts"
import { typeCheck } from "../codegen/typescript.ts"
import { assignment } from "./assignment.ts"
import { anySamples } from "./samples.ts"

const seed = Number(process.env.FC_SEED ?? 1)
const numRuns = Number(process.env.FC_RUNS ?? 200)
setDefaultTimeout(30_000 + 100 * numRuns)

const quicktype = await loadQuicktype()
const print = (shape: ToolShape) => printDiscovered(quicktype, [{ tool: "t", type: "Tool", shape }])

describe("whatever tools answer", () => {
  always("the same samples give the same types, in whatever order they come", (samples) => {
    const text = print(shapeOf(samples))
    expect(print(shapeOf(structuredClone(samples)))).toBe(text)
    expect(print(shapeOf(samples.toReversed()))).toBe(text)
    expect(print(shapeOf([...samples.slice(1), samples[0]]))).toBe(text)
  })

  always("shapes that are added up give the types of all their samples", (samples) => {
    const sum = emptyShape()
    for (const part of [samples.slice(2), samples.slice(0, 2)]) addShape(sum, unsettled(part))
    settleWords(sum)
    expect(print(sum)).toBe(print(shapeOf(samples)))
  })

  always("a stored shape is the shape", (samples) => {
    const shape = shapeOf(samples)
    const stored = readShapes(writeShapes(new Map([["t", shape]])))
    expect(stored.get("t")).toEqual(shape)
  })

  always("nothing leaves its string or comment, and there is no any", (samples) => {
    const code = print(shapeOf(samples)).replace(/\/\*[\s\S]*?\*\/|\/\/.*|"(?:[^"\\\n]|\\.)*"/g, "")
    expect(code).toMatch(/^(?:\s*export type Tool[\p{L}\p{N}\p{M}_$]* =[\s\p{L}\p{N}\p{M}_${}[\]:?|<>]*)*$/u)
    expect(code.replace(/[\w$]+\??:/g, "")).not.toMatch(/\bany\b/)
  })

  test("types are accepted by TypeScript, and every sample is of its type", async () => {
    const cases = fc.sample(anySamples, { seed, numRuns })
    const tools = cases.map((samples, at) => ({ tool: `t${at}`, type: `T${at}`, shape: shapeOf(samples) }))
    const lines = cases.flatMap((samples, at) => samples.map((sample) => assignment(`T${at}Result`, sample)))
    const files = new Map([
      ["types.discovered.ts", printDiscovered(quicktype, tools)],
      ["samples.ts", `import type * as types from "./types.discovered.ts"\n\n${lines.join("\n")}\n`],
    ])
    expect((await typeCheck(files)).slice(0, 2000)).toBe("")
  })
})

/** A property of every list of samples. */
function always(title: string, check: (samples: unknown[]) => void): void {
  test(title, () => fc.assert(fc.property(anySamples, check), { seed, numRuns }))
}

function shapeOf(samples: readonly unknown[]): ToolShape {
  const shape = unsettled(samples)
  settleWords(shape)
  return shape
}

function unsettled(samples: readonly unknown[]): ToolShape {
  const shape = emptyShape()
  for (const sample of samples) addSample(shape, {}, sample)
  return shape
}
