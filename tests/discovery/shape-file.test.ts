import { describe, expect, test } from "bun:test"
import { readShapes } from "../../src/discovery/shape-file.ts"

const samples = ["a1b2c3"]
const deep = { count: 1, array: { count: 1, items: { count: 1, number: 1 } } }

describe("a file that is not what was written", () => {
  const shape = { count: 1, number: 1 }
  const cases: { name: string; given: unknown }[] = [
    { name: "nothing", given: undefined },
    { name: "another format", given: { format: 9, tools: { t: { depth: 40, samples, shape } } } },
    { name: "no tools", given: { format: 2 } },
    { name: "a list of tools", given: { format: 2, tools: [shape] } },
    { name: "a depth that never ends", given: { format: 2, tools: { t: { depth: 1e9, samples, shape } } } },
    { name: "no depth", given: { format: 2, tools: { t: { samples, shape } } } },
    { name: "no samples", given: { format: 2, tools: { t: { depth: 40, samples: [], shape } } } },
    { name: "samples that are none", given: { format: 2, tools: { t: { depth: 40, samples: [1], shape } } } },
    { name: "a count that is none", given: tool({ count: -1 }) },
    { name: "a kind that is none", given: tool({ count: 1, string: "1" }) },
    { name: "words that are values", given: tool({ count: 1, string: 1, words: { a: "x" } }) },
    { name: "items that are none", given: tool({ count: 1, array: { count: 1, items: [] } }) },
    { name: "an array without a count", given: tool({ count: 1, array: { items: shape } }) },
    { name: "members that are none", given: tool({ count: 1, object: { count: 1, members: [] } }) },
    { name: "a member that is none", given: tool({ count: 1, object: { count: 1, members: { a: null } } }) },
    { name: "emptiness that is none", given: tool({ count: 1, object: { count: 1, empty: "1", members: {} } }) },
    { name: "a map that is none", given: tool({ count: 1, object: { count: 1, members: {}, map: 3 } }) },
    { name: "something deeper than it says", given: { format: 2, tools: { t: { depth: 0, samples, shape: deep } } } },
  ]
  for (const { name, given } of cases) {
    test(`has no shape where it has ${name}`, () => expect(readShapes(JSON.stringify(given) ?? "").size).toBe(0))
  }

  test("has the shapes of the other tools", () => {
    const text = JSON.stringify({
      format: 2,
      tools: { bad: { depth: 40, samples, shape: [] }, good: { depth: 40, samples, shape } },
    })
    expect([...readShapes(text).keys()]).toEqual(["good"])
  })

  test("that was cut short has none", () => expect(readShapes('{"format":2,"tools":{').size).toBe(0))
})

function tool(shape: unknown): unknown {
  return { format: 2, tools: { t: { depth: 40, samples, shape } } }
}
