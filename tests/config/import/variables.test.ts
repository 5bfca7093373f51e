// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables as they stand in configurations
import { describe, expect, test } from "bun:test"
import { expandServer } from "../../../src/config/expand.ts"
import { gemini } from "../../../src/config/import/gemini.ts"
import { type Place, placeOf } from "../../../src/config/import/program.ts"
import {
  braceVariables,
  bracketVariables,
  convertVariables,
  type Dialect,
  editorVariables,
  envVariables,
  noVariables,
  shellVariables,
  variableFrom,
} from "../../../src/config/import/variables.ts"

const linux = placeOf({ HOME: "/home/ada" }, "/home/ada/project", "linux")
const windows = placeOf({ USERPROFILE: "C:\\ada" }, "C:\\ada\\project", "win32")

function convert(text: string, dialect: Dialect, place: Place = linux, field = "args[0]") {
  const notes: string[] = []
  const converted = convertVariables(text, dialect, { place, server: "s", field, note: (note) => notes.push(note) })
  return { converted, notes: notes.length }
}

const cases: {
  name: string
  dialect: Dialect
  given: string
  want: string
  notes?: number
  place?: Place
  field?: string
}[] = [
  { name: "no variables", dialect: noVariables, given: "${A}-$B-{env:C}", want: "$${A}-$B-{env:C}", notes: 1 },
  { name: "ours already", dialect: braceVariables, given: "x${A}y${B:-c d}", want: "x${A}y${B:-c d}" },
  { name: "a default within a default", dialect: braceVariables, given: "${A:-${B}}", want: "${A:-${B}}", notes: 1 },
  { name: "a dollar sign before one", dialect: braceVariables, given: "$${A}", want: "$${A}", notes: 1 },
  { name: "a shell's", dialect: shellVariables, given: "$A/$B_C/${D:-e}/$5/$", want: "${A}/${B_C}/${D:-e}/$5/$" },
  {
    name: "env: alone",
    dialect: envVariables,
    given: "${env:A}${A}${userHome}",
    want: "${A}$${A}$${userHome}",
    notes: 1,
  },
  { name: "env: with a bad name", dialect: envVariables, given: "${env:A B}", want: "$${env:A B}", notes: 1 },
  { name: "an editor's", dialect: editorVariables, given: "${userHome}${/}${env:A}", want: "${HOME}/${A}" },
  {
    name: "an editor's on Windows",
    dialect: editorVariables,
    given: "${userHome}${pathSeparator}${workspaceFolderBasename}",
    want: "${USERPROFILE}\\project",
    place: windows,
  },
  { name: "an editor's question", dialect: editorVariables, given: "${input:my-key.2}", want: "${MY_KEY_2}", notes: 1 },
  { name: "brackets", dialect: bracketVariables, given: "a{env:B}c${D}", want: "a${B}c$${D}", notes: 1 },
  {
    name: "the content of a file",
    dialect: bracketVariables,
    given: "{file:./k}",
    want: "${S_KEY}",
    notes: 1,
    field: "env.KEY",
  },
  {
    name: "percent signs on Windows",
    dialect: gemini.dialect,
    given: "%A%$B",
    want: "${A}${B}",
    place: windows,
    field: "env.X",
  },
  { name: "percent signs elsewhere", dialect: gemini.dialect, given: "%A%$B", want: "%A%${B}", field: "env.X" },
]

describe("the variables of other programs", () => {
  test.each(cases)("$name: $given", ({ dialect, given, want, notes = 0, place, field }) => {
    expect(convert(given, dialect, place, field)).toEqual({ converted: want, notes })
  })

  test("mean the same here as they did there", () => {
    const env = { A: "one", HOME: "/home/ada" }
    const expand = (text: string) => {
      const server = expandServer("s", { type: "stdio", command: "x", args: [text], env: {}, disabled: false }, env)
      return "args" in server ? server.args[0] : undefined
    }
    expect(expand(convert("$A ${A} ${C:-two} $5", shellVariables).converted)).toBe("one one two $5")
    expect(expand(convert("${A} {env:A}", bracketVariables).converted)).toBe("${A} one")
    expect(expand(convert("${A} ${env:A}", envVariables).converted)).toBe("${A} one")
    expect(expand(convert("${userHome} ${workspaceFolder}", editorVariables).converted)).toBe(
      "/home/ada /home/ada/project",
    )
  })

  test("get names that a shell can export", () => {
    expect(["api key", "2fa", "ä-b"].map(variableFrom)).toEqual(["API_KEY", "_2FA", "_B"])
  })
})
