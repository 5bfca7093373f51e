import { describe, expect, test } from "bun:test"
import { addSample, addShape, emptyShape, type ToolShape } from "../../src/discovery/shape.ts"
import { readShapes, writeShapes } from "../../src/discovery/shape-file.ts"
import { settleWords } from "../../src/discovery/words.ts"

/** Lists in which a member has these texts in turn. */
function settled(key: string, texts: readonly string[], { samples = 4, items = 20 } = {}): ToolShape {
  const shape = emptyShape()
  for (let sample = 0; sample < samples; sample++) {
    addSample(
      shape,
      { sample },
      Array.from({ length: items }, (_, at) => ({ [key]: texts[(sample * items + at) % texts.length] })),
    )
  }
  settleWords(shape)
  return shape
}

function wordsOf({ root }: ToolShape, key: string): string[] | false | undefined {
  const words = root.array?.items.object?.members.get(key)?.words
  return words && [...words.keys()].sort()
}

describe("the words of an enum", () => {
  test("are those that come again and again", () => {
    expect(wordsOf(settled("state", ["open", "closed"]), "state")).toEqual(["closed", "open"])
  })

  const weak: { name: string; shape: ToolShape; key?: string }[] = [
    { name: "two samples", shape: settled("state", ["open", "closed"], { samples: 2, items: 50 }) },
    { name: "few texts", shape: settled("state", ["open", "closed"], { items: 5 }) },
    { name: "one word only", shape: settled("state", ["open"]) },
    { name: "many words", shape: settled("state", ["a", "b", "c", "d", "e", "f", "g"]) },
    { name: "a word that is rare", shape: settled("state", [...Array<string>(40).fill("open"), "closed"]) },
    { name: "texts of people", shape: settled("state", ["Alice Smith", "Bob Jones"]) },
    { name: "texts that are long", shape: settled("state", ["x".repeat(25), "y"]) },
    { name: "names of somebody", shape: settled("assignee", ["alice", "bob"]), key: "assignee" },
    { name: "names of users", shape: settled("userName", ["alice", "bob"]), key: "userName" },
  ]
  for (const { name, shape, key = "state" } of weak) {
    test(`are not seen in ${name}`, () => expect(wordsOf(shape, key)).toBe(false))
  }

  test("are kept by the file, and more of them in a later run", () => {
    const stored = readShapes(writeShapes(new Map([["t", settled("state", ["open", "closed"])]]))).get("t") as ToolShape
    addShape(stored, settled("state", ["open", "closed"]))
    settleWords(stored)
    expect(wordsOf(stored, "state")).toEqual(["closed", "open"])
  })

  test("are not found in an answer that was only repeated", () => {
    const shape = emptyShape()
    const list = Array.from({ length: 20 }, (_, at) => ({ state: ["open", "closed"][at % 2] }))
    for (let round = 0; round < 10; round++) addSample(shape, {}, list, round)
    settleWords(shape)
    expect(shape.samples.size).toBe(10)
    expect(wordsOf(shape, "state")).toBe(false)
  })

  test("are given up for good when another one turns up", () => {
    const shape = settled("state", ["open", "closed"])
    addSample(shape, {}, [{ state: "merged" }])
    settleWords(shape)
    expect(wordsOf(shape, "state")).toBe(false)
    addShape(shape, settled("state", ["open", "closed"]))
    settleWords(shape)
    expect(wordsOf(shape, "state")).toBe(false)
  })

  test("are not found later where texts were seen before and forgotten", () => {
    const stored = readShapes(writeShapes(new Map([["t", settled("state", ["Other", "Texts"])]]))).get("t") as ToolShape
    const more = emptyShape()
    for (let sample = 0; sample < 5; sample++)
      addSample(
        more,
        { sample },
        Array.from({ length: 50 }, (_, at) => ({ state: ["a", "b"][at % 2] })),
      )
    addShape(stored, more)
    settleWords(stored)
    expect(wordsOf(stored, "state")).toBe(false)
  })
})
