import { describe, expect, test } from "bun:test"
import { packMessage, type TextPlace, unpackMessage } from "../../src/broker/messages.ts"

const large = "ä\n€😀x".repeat(20_000)
const other = "y".repeat(70_000)
const manyMembers = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`key${index}`, index]))

const cases = [
  { name: "a result that is a text", message: { type: "result", id: 1, value: large }, places: [["value"]] },
  {
    name: "a raw result",
    message: { value: { content: [{ type: "text", text: large }], structuredContent: { content: other } } },
    places: [
      ["value", "content", 0, "text"],
      ["value", "structuredContent", "content"],
    ],
  },
  { name: "arguments", message: { type: "call", args: { a: 1, list: [other, "short", large] } }, places: 2 },
  { name: "a member that is called __proto__", message: JSON.parse(`{"value":{"__proto__":"${other}"}}`), places: 1 },
  { name: "members that are no JSON", message: { value: other, gone: undefined, at: new Date(0) }, places: 1 },
  { name: "nothing large", message: { type: "result", id: 1, value: "x".repeat(60_000) }, places: 0 },
  { name: "half a character", message: { value: `${other}\ud83d` }, places: 0 },
  { name: "an object that writes itself", message: { value: { toJSON: () => other, text: large } }, places: 0 },
  { name: "a text behind a hundred members", message: { value: { ...manyMembers, text: large } }, places: 0 },
]

describe("a message is the same on the other side", () => {
  for (const { name, message, places } of cases) {
    test(`with ${name}`, () => {
      const [line = "", ...texts] = packMessage(message, message)
      const arrived = JSON.parse(line)
      const told: TextPlace[] = arrived.texts ?? []
      expect(line.endsWith("\n")).toBe(true)
      expect(texts).toHaveLength(typeof places === "number" ? places : places.length)
      if (typeof places !== "number") expect(told.map(({ at }) => at)).toEqual(places)
      expect(told.map(({ bytes }) => bytes)).toEqual(texts.map((text) => new TextEncoder().encode(text).length))
      expect(unpackMessage(arrived, told, texts)).toBe(true)
      delete arrived.texts
      expect(JSON.stringify(arrived)).toBe(JSON.stringify(message))
    })
  }

  test("and one in a circle fails as JSON does", () => {
    const circle: Record<string, unknown> = { text: large }
    circle.self = circle
    expect(() => packMessage({ value: circle }, circle)).toThrow(TypeError)
  })
})

describe("a text is put only where it was taken from", () => {
  const places = [[], ["nothing"], ["name"], ["list", 5], ["list", "length"], ["name", "length"], ["__proto__", "x"]]
  for (const at of places) {
    test(`and not to ${JSON.stringify(at)}`, () => {
      const message = { name: "there", list: [""], empty: "" }
      expect(unpackMessage(message, [{ at, bytes: 1 }], ["x"])).toBe(false)
      expect(message).toEqual({ name: "there", list: [""], empty: "" })
      expect(({} as { x?: unknown }).x).toBeUndefined()
    })
  }
})
