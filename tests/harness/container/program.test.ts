import { expect, test } from "bun:test"
import { resolve } from "node:path"
import { sandboxProgram } from "../../../src/harness/container/program.ts"

test("the program for containers can be named", () => {
  expect(sandboxProgram({ MCP_EXEC_SANDBOX_PROGRAM: "builds/mcp-exec-linux-x64" })).toBe(
    resolve("builds/mcp-exec-linux-x64"),
  )
})

test("without a program that could run in a container, it is said what to do", () => {
  // These tests run from source: what runs them is no program of ours.
  expect(() => sandboxProgram({})).toThrow(
    expect.objectContaining({ code: "E_SANDBOX", hint: expect.stringContaining("MCP_EXEC_SANDBOX_PROGRAM") }),
  )
})
