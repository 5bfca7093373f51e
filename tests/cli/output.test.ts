import { describe, expect, test } from "bun:test"
import { tmpdir } from "node:os"
import type { Globals } from "../../src/cli/globals.ts"
import { createOutput } from "../../src/cli/output.ts"
import { McpExecError, ToolError } from "../../src/errors.ts"
import { captureIo, type IoOptions } from "./captured-io.ts"

const plain: Globals = { config: undefined, cwd: undefined, json: false, quiet: false, verbose: false, color: true }

function outputWith(globals: Partial<Globals> = {}, options: Partial<IoOptions> = {}) {
  const io = captureIo({ cwd: tmpdir(), ...options })
  return { output: createOutput(io, { ...plain, ...globals }), written: io.written }
}

const failure = new ToolError("E_TOOL_FAILED", "files", "read", "no such file", {
  hint: "Check the path.",
  details: { path: "a" },
  cause: new Error("ENOENT", { cause: "deep down" }),
})

describe("an error", () => {
  test("is its code, message and hint on stderr, without a stack", () => {
    const { output, written } = outputWith()
    output.error(failure)
    expect(written).toEqual({
      stdout: "",
      stderr: "error[E_TOOL_FAILED]: files.read: no such file\nhint: Check the path.\n",
    })
  })

  test("is one JSON value on stdout with --json", () => {
    const { output, written } = outputWith({ json: true })
    output.error(failure)
    expect(written.stderr).toBe("")
    expect(JSON.parse(written.stdout)).toEqual({
      error: {
        code: "E_TOOL_FAILED",
        message: "no such file",
        hint: "Check the path.",
        details: { path: "a" },
        server: "files",
        tool: "read",
      },
    })
  })

  test("comes with stack and causes under --verbose", () => {
    const { output, written } = outputWith({ verbose: true })
    output.error(failure)
    expect(written.stderr).toContain("output.test.ts")
    expect(written.stderr).toContain("caused by: Error: ENOENT")
    expect(written.stderr).toContain("caused by: deep down")
  })

  test("that is its own cause ends", () => {
    const { output, written } = outputWith({ verbose: true })
    const error = new Error("round")
    error.cause = error
    output.error(error)
    expect(written.stderr).toStartWith("error[E_INTERNAL]: round\n")
  })

  test("cannot drive the terminal", () => {
    const { output, written } = outputWith()
    output.error(new McpExecError("E_TOOL_FAILED", "red \u001b[31malert\u001b]0;title\u0007", { hint: "a\u202eb" }))
    expect(written.stderr).toBe("error[E_TOOL_FAILED]: red [31malert]0;title\nhint: ab\n")
  })
})

describe("colour", () => {
  const shows = (globals: Partial<Globals>, options: Partial<IoOptions>) => {
    const { output, written } = outputWith(globals, options)
    output.error(failure)
    return written.stderr.includes("\u001b[31merror[E_TOOL_FAILED]\u001b[0m") && output.paint("red", "x") !== "x"
  }

  test("is used on a terminal", () => expect(shows({}, { tty: true })).toBe(true))
  test("is not used in a pipe", () => expect(shows({}, { tty: false })).toBe(false))
  test("is not used with --no-color", () => expect(shows({ color: false }, { tty: true })).toBe(false))
  test("is not used with NO_COLOR", () => expect(shows({}, { tty: true, env: { NO_COLOR: "1" } })).toBe(false))
  test("is not used on a dumb terminal", () => expect(shows({}, { tty: true, env: { TERM: "dumb" } })).toBe(false))
})

describe("log lines", () => {
  const shown = (globals: Partial<Globals>) => {
    const { output, written } = outputWith(globals)
    for (const level of ["debug", "info", "warning", "error"] as const) output.log(level, level)
    expect(written.stdout).toBe("")
    return written.stderr
  }

  test("are warnings and errors by default", () => expect(shown({})).toBe("[WARNING] warning\n[ERROR] error\n"))
  test("are errors with --quiet", () => expect(shown({ quiet: true })).toBe("[ERROR] error\n"))
  test("are all with --verbose", () => {
    expect(shown({ verbose: true })).toBe("[DEBUG] debug\n[INFO] info\n[WARNING] warning\n[ERROR] error\n")
  })
})

describe("progress", () => {
  test("is a line that makes way for what follows", () => {
    const { output, written } = outputWith({}, { tty: true })
    output.progress({ progress: 1, total: 3, message: "reading\nfiles" })
    output.log("warning", "slow")
    expect(written.stderr).toBe("1/3 reading files\r\u001b[K[WARNING] slow\n")
  })

  test("is not shown in a pipe, nor with --quiet", () => {
    for (const { output, written } of [outputWith(), outputWith({ quiet: true }, { tty: true })]) {
      output.progress({ progress: 1 })
      expect(written.stderr).toBe("")
    }
  })
})
