import { describe, expect, test } from "bun:test"
import { addSample, addShape, emptyShape, type Shape, type ToolShape } from "../../src/discovery/shape.ts"
import { writeShapes } from "../../src/discovery/shape-file.ts"
import { settleWords } from "../../src/discovery/words.ts"

function shapeOf(...samples: unknown[]): ToolShape {
  const shape = emptyShape()
  for (const sample of samples) addSample(shape, {}, sample)
  return shape
}

const members = ({ object }: Shape) => [...(object?.members.keys() ?? [])].sort()

describe("a shape", () => {
  test("counts what was seen in each place", () => {
    const { root } = shapeOf({ a: 1, b: "x" }, { a: null })
    expect(root.object?.count).toBe(2)
    expect(root.object?.members.get("a")).toMatchObject({ count: 2, number: 1, null: 1 })
    expect(root.object?.members.get("b")).toMatchObject({ count: 1, string: 1 })
  })

  test("looks at every element of an array", () => {
    const { root } = shapeOf([{ a: 1 }, { b: 2 }, "x"])
    expect(root.array?.items).toMatchObject({ count: 3, string: 1 })
    expect(members(root.array?.items as Shape)).toEqual(["a", "b"])
  })

  const dataKeys = [
    "550e8400-e29b-41d4-a716-446655440000",
    "9f86d081884c7d659a2feaa0",
    "42",
    "1700000000000",
    "alice@example.com",
    "https://example.com/x",
    "/home/me/notes.txt",
    "2026-01-01",
    "count(*)",
  ]
  for (const key of dataKeys) {
    test(`takes ${key} for data, not for a member`, () => {
      const { root } = shapeOf({ [key]: 1 })
      expect(root.object).toMatchObject({ count: 1, members: new Map(), map: { count: 1, number: 1 } })
    })
  }

  for (const key of ["id", "created_at", "First Name", "x1", "sha256", "address2", "$ref", "", "*"]) {
    test(`takes ${JSON.stringify(key)} for a member`, () => expect(members(shapeOf({ [key]: 1 }).root)).toEqual([key]))
  }

  test("of more members than anybody gives names to is a map", () => {
    const many = Object.fromEntries(
      Array.from({ length: 301 }, (_, at) => [`name${"x".repeat(at % 7)}${letters(at)}`, at]),
    )
    const { root } = shapeOf(many, { later: "x" })
    expect(root.object).toMatchObject({ folded: true, members: new Map(), map: { count: 302, number: 301, string: 1 } })
  })

  const evidence: { name: string; calls: [args: unknown, value: unknown][]; samples: number }[] = [
    {
      name: "the same call, answered alike",
      calls: [
        [{ id: 1 }, { a: 1 }],
        [{ id: 1 }, { a: 2 }],
      ],
      samples: 1,
    },
    {
      name: "other arguments, answered alike",
      calls: [
        [{ id: 1 }, { a: 1 }],
        [{ id: 2 }, { a: 1 }],
      ],
      samples: 2,
    },
    {
      name: "the same call, answered otherwise",
      calls: [
        [{}, { a: 1 }],
        [{}, { a: "x" }],
      ],
      samples: 2,
    },
    {
      name: "the same call, answered with more items",
      calls: [
        [{}, [1]],
        [{}, [1, 2]],
      ],
      samples: 2,
    },
    {
      name: "the same call, answered with another key",
      calls: [
        [{}, { a: 1 }],
        [{}, { b: 1 }],
      ],
      samples: 2,
    },
    {
      name: "the same call, answered with other words",
      calls: [
        [{}, ["open"]],
        [{}, ["closed"]],
      ],
      samples: 1,
    },
  ]
  for (const { name, calls, samples } of evidence) {
    test(`has ${samples} sample${samples === 1 ? "" : "s"} after ${name}, in one run or in several`, () => {
      const [once, sum] = [emptyShape(), emptyShape()]
      for (const [args, value] of calls) {
        addSample(once, args, value)
        const run = emptyShape()
        addSample(run, args, value)
        addShape(sum, run)
      }
      expect(once.samples.size).toBe(samples)
      expect(sum).toEqual(once)
    })
  }

  test("has a sample more after another round, whatever it gave", () => {
    const shape = emptyShape()
    for (const round of [0, 1, 2, 1]) addSample(shape, {}, { a: 1 }, round)
    expect(shape.samples.size).toBe(3)
  })

  test("knows at most a thousand samples, the same ones in whatever order they come", () => {
    const numbers = Array.from({ length: 1100 }, (_, at) => at)
    const [forth, back] = [numbers, numbers.toReversed()].map((order) => {
      const shape = emptyShape()
      for (const at of order) addSample(shape, { at }, at)
      return shape
    })
    expect(forth?.samples.size).toBe(1000)
    expect([...(forth?.samples ?? [])].sort()).toEqual([...(back?.samples ?? [])].sort())
    expect(forth?.root.count).toBe(1100)
  })

  test("has a member __proto__ like any other", () => {
    const shape = shapeOf(JSON.parse('{"__proto__": {"polluted": true}}'))
    expect(members(shape.root)).toEqual(["__proto__"])
    expect(JSON.parse(writeShapes(new Map([["t", shape]]))).tools.t.shape.object.members).toHaveProperty(["__proto__"])
    expect({}).not.toHaveProperty("polluted")
  })

  test("ends where results are nested without end", () => {
    let value: unknown = 1
    for (let depth = 0; depth < 100_000; depth++) value = [value]
    let place: Shape | undefined = shapeOf(value).root
    let depth = 0
    for (; place?.array !== undefined; depth++) place = place.array.items
    expect(depth).toBe(40)
    expect(place?.deep).toBe(true)
  })

  test("stays small, whatever comes, and is the same in whatever order it comes", () => {
    const nested = (level: number, name: string): unknown =>
      level === 0 ? 1 : Object.fromEntries([..."abcdefgh"].map((key) => [name + key, nested(level - 1, name + key)]))
    const samples = [..."pqrst"].map((name) => nested(4, name))
    const [forth, back] = [shapeOf(...samples), shapeOf(...samples.toReversed())]
    expect(forth.depth).toBeLessThan(5)
    expect(writeShapes(new Map([["t", forth]]))).toBe(writeShapes(new Map([["t", back]])))
    expect(writeShapes(new Map([["t", forth]])).length).toBeLessThan(400_000)
  })

  test("of another run is looked at no deeper than this one", () => {
    const shallow = { ...shapeOf({ a: 1 }), depth: 1 }
    const deep = shapeOf({ a: { b: { c: 1 } } })
    addShape(shallow, deep)
    expect(shallow.root.object?.members.get("a")).toMatchObject({ count: 2, number: 1, deep: true })
  })

  test("holds no value of a result once its words are settled", () => {
    const secret = "hunter2"
    const shape = shapeOf({ token: secret, list: [secret, secret], deep: { again: secret } })
    settleWords(shape)
    expect(writeShapes(new Map([["t", shape]]))).not.toContain(secret)
  })
})

function letters(number: number): string {
  return [...String(number)].map((digit) => "abcdefghij"[Number(digit)]).join("")
}
