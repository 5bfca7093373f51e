// What a user can do with a command, a program can do with a function.
import { expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { repository } from "../fixtures/project.ts"

/** Operations of commands that the library leaves out. */
const leftOut: Record<string, string> = {
  "daemon/control.ts": "is about the connections that outlive a command; an instance keeps its own",
  "doctor.ts": "examines a terminal and its environment, for a person who sits there",
  "init/init.ts": "sets up a folder and the agents on a machine, with questions to a person",
  "nameable.ts": "is for shells that complete words",
}

const commands = join(repository, "src/cli/commands")
const texts = readdirSync(commands).map((file) => readFileSync(join(commands, file), "utf8"))
const ofCommands = new Set(texts.flatMap((text) => operationsIn(text, /import\("\.\.\/\.\.\/operations\/([^"]+)"\)/g)))
const library = readFileSync(join(repository, "src/index.ts"), "utf8")
const ofLibrary = new Set(operationsIn(library, /import\("\.\/operations\/([^"]+)"\)/g))

test("commands and their operations are found", () => {
  expect(ofCommands.size).toBeGreaterThan(15)
  expect([...ofCommands]).toContain("generate.ts")
})

test("every operation that a command uses is in the library, or is left out for a reason", () => {
  expect([...ofCommands].filter((each) => !ofLibrary.has(each) && !Object.hasOwn(leftOut, each))).toEqual([])
})

test("nothing is said to be left out that is there, or that no command uses", () => {
  expect(Object.keys(leftOut).filter((each) => ofLibrary.has(each) || !ofCommands.has(each))).toEqual([])
})

function operationsIn(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, path]) => path as string)
}
