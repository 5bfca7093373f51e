import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { addSample, emptyShape, type ToolShape } from "../../../src/discovery/shape.ts"
import { settleWords } from "../../../src/discovery/words.ts"
import { addNotes, forgetNotes, type Notes, readNotes } from "../../../src/operations/discover/observed.ts"

let notes: Notes
beforeEach(() => {
  notes = { cacheDirectory: mkdtempSync(join(tmpdir(), "mcp-exec-observed-")), directory: "/project/servers" }
})
afterEach(() => rmSync(notes.cacheDirectory, { recursive: true }))

function shapeOf(...samples: unknown[]): ToolShape {
  const shape = emptyShape()
  for (const sample of samples) addSample(shape, {}, sample)
  settleWords(shape)
  return shape
}

const noted = (server: string) => readNotes(notes).get(server)

describe("notes", () => {
  test("of several runs add up", () => {
    addNotes(notes, { server: "a", shapes: new Map([["t", shapeOf({ x: 1 })]]), drift: new Map([["t", ["x is new"]]]) })
    addNotes(notes, {
      server: "a",
      shapes: new Map([["t", shapeOf({})]]),
      drift: new Map([["t", ["x is new", "y is new"]]]),
    })
    addNotes(notes, { server: "b", shapes: new Map([["u", shapeOf(1)]]), drift: new Map() })
    expect(noted("a")?.shapes.get("t")).toEqual(shapeOf({ x: 1 }, {}))
    expect(noted("a")?.drift.get("t")).toEqual(["x is new", "y is new"])
    expect([...readNotes(notes).keys()].sort()).toEqual(["a", "b"])
  })

  test("of one project are not those of another", () => {
    addNotes(notes, { server: "a", shapes: new Map([["t", shapeOf(1)]]), drift: new Map() })
    expect(readNotes({ ...notes, directory: "/other/servers" }).size).toBe(0)
  })

  test("are forgotten tool by tool", () => {
    const shapes = () =>
      new Map([
        ["t", shapeOf(1)],
        ["u", shapeOf(2)],
      ])
    addNotes(notes, { server: "a", shapes: shapes(), drift: new Map([["t", ["x is new"]]]) })
    forgetNotes(notes, "a", ["t"], "drift")
    expect(noted("a")?.drift.size).toBe(0)
    expect(noted("a")?.shapes.size).toBe(2)
    forgetNotes(notes, "a", ["t"], "all")
    expect([...(noted("a")?.shapes.keys() ?? [])]).toEqual(["u"])
    forgetNotes(notes, "a", ["u"], "all")
    forgetNotes(notes, "never noted", ["u"], "all")
    expect(readNotes(notes).size).toBe(0)
  })

  test("that are broken are none", () => {
    addNotes(notes, { server: "a", shapes: new Map([["t", shapeOf(1)]]), drift: new Map() })
    const [project = ""] = readdirSync(join(notes.cacheDirectory, "observed"))
    const folder = join(notes.cacheDirectory, "observed", project)
    for (const text of ["", "{", "[]", "null", '{"server":1,"drift":{}}', '{"server":"x","drift":null}']) {
      for (const name of readdirSync(folder)) writeFileSync(join(folder, name), text)
      expect(readNotes(notes).size).toBe(0)
    }
  })

  test("that cannot be written are not known, and nobody is told", () => {
    const file = join(notes.cacheDirectory, "file")
    writeFileSync(file, "")
    const nowhere = { ...notes, cacheDirectory: file }
    addNotes(nowhere, { server: "a", shapes: new Map([["t", shapeOf(1)]]), drift: new Map() })
    expect(readNotes(nowhere).size).toBe(0)
  })
})
