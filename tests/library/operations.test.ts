// What a user can do with a command, a program can do with a function.
import { expect, test } from "bun:test"
import { leftOutOfLibrary as leftOut, operationsOfCommands, operationsOfLibrary } from "./operations.ts"

test("commands and their operations are found, however they are loaded", () => {
  expect(operationsOfCommands.size).toBeGreaterThan(25)
  for (const each of ["generate.ts", "exec.ts", "call-tool.ts", "skills/check-script.ts", "search/search-tools.ts"]) {
    expect([...operationsOfCommands]).toContain(each)
    expect([...operationsOfLibrary]).toContain(each)
  }
})

test("every operation that a command uses is in the library, or is left out for a reason", () => {
  const missing = [...operationsOfCommands].filter((each) => !operationsOfLibrary.has(each))
  expect(missing.filter((each) => !Object.hasOwn(leftOut, each))).toEqual([])
})

test("nothing is said to be left out that is there, or that no command uses", () => {
  expect(
    Object.keys(leftOut).filter((each) => operationsOfLibrary.has(each) || !operationsOfCommands.has(each)),
  ).toEqual([])
})
