import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { parse } from "jsonc-parser"
import { addMember } from "../../src/codegen/add-member.ts"

const cases = [
  { name: "into an empty object", given: "{}", path: ["a"], want: '{\n  "a": 1\n}' },
  { name: "after others", given: '{\n  "x": 0\n}\n', path: ["a"], want: '{\n  "x": 0,\n  "a": 1\n}\n' },
  { name: "on the only line", given: '{ "x": 0 }', path: ["a"], want: '{ "x": 0, "a": 1 }' },
  { name: "on the only line without spaces", given: '{"x":{"y":0}}', path: ["x", "a"], want: '{"x":{"y":0,"a": 1}}' },
  { name: "below a trailing comma", given: '{\n\t"x": 0,\n}', path: ["a"], want: '{\n\t"x": 0,\n\t"a": 1,\n}' },
  {
    name: "below a comment that belongs to the line",
    given: '{\n  "x": 0 // zero, {\n}',
    path: ["a"],
    want: '{\n  "x": 0, // zero, {\n  "a": 1\n}',
  },
  {
    name: "below a comma with a comment",
    given: '{\r\n  "x": 0, // zero\r\n}',
    path: ["a"],
    want: '{\r\n  "x": 0, // zero\r\n  "a": 1,\r\n}',
  },
  {
    name: "into objects that are not there yet",
    given: '{\n  "x": {}\n}',
    path: ["x", "y", "z"],
    want: '{\n  "x": {\n    "y": {\n      "z": 1\n    }\n  }\n}',
  },
  { name: "beside a comment alone", given: "{\n  // none\n}", path: ["a"], want: '{\n  // none\n  "a": 1\n}' },
  { name: "under a name like any other", given: "{}", path: ["__proto__"], want: '{\n  "__proto__": 1\n}' },
]

describe("a member is added", () => {
  test.each(cases)("$name", ({ given, path, want }) => {
    const text = addMember(given, path, 1)
    expect(text).toBe(want)
    const errors: unknown[] = []
    parse(text ?? "", errors as never, { allowTrailingComma: true })
    expect(errors).toEqual([])
  })

  test("to any object, in any layout, without changing the rest", () => {
    const object = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 })
    fc.assert(
      fc.property(object, fc.constantFrom(undefined, 2, "\t"), fc.jsonValue(), (given, indent, value) => {
        const { "a new one": _, ...rest } = given
        const text = addMember(JSON.stringify({ ...rest, inner: rest }, null, indent), ["inner", "a new one"], value)
        const want = { ...rest, inner: { ...rest, "a new one": value } }
        expect(JSON.parse(text ?? "")).toEqual(JSON.parse(JSON.stringify(want)))
      }),
    )
  })

  test("not where something else stands in its way", () => {
    expect(addMember('{"a": [1]}', ["a", "b"], 1)).toBeUndefined()
    expect(addMember("[]", ["a"], 1)).toBeUndefined()
    expect(addMember("", ["a"], 1)).toBeUndefined()
  })
})
