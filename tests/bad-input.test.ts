// Everything that is wrong with what a user gives us has a code, a hint and an exit code: in words, and with
// --json as one value. A script that meets it fails with the same code.
import { afterAll, describe, expect, test } from "bun:test"
import { cases, folder } from "./bad-input-cases.ts"
import { createProject } from "./fixtures/project.ts"

const project = createProject(folder)
afterAll(() => project[Symbol.dispose]())

describe("in words:", () => {
  for (const { name, argv, code, exit, says, hint } of cases) {
    test(`${name} is ${code} and ends with ${exit}`, async () => {
      const { code: found, stdout, stderr } = await project.run(argv)
      expect({ exit: found, stdout }).toEqual({ exit, stdout: "" })
      const [message = "", advice = ""] = stderr.split(/^hint: /m)
      expect(message).toStartWith(`error[${code}]: `)
      expect(message).toContain(says)
      if (hint !== undefined) expect(advice).toContain(hint)
      // No stack of ours.
      expect(stderr).not.toMatch(/^\s+at /m)
    })
  }
})

describe("as JSON:", () => {
  for (const { name, argv, code, exit, says, hint } of cases) {
    test(`${name} is one value`, async () => {
      const [command = "", ...rest] = argv
      const { code: found, stdout, stderr } = await project.run([command, "--json", ...rest])
      expect({ exit: found, stderr }).toEqual({ exit, stderr: "" })
      const { error, ...more } = JSON.parse(stdout)
      expect(more).toEqual({})
      expect(error.code).toBe(code)
      expect(error.message).toContain(says)
      if (hint !== undefined) expect(error.hint).toContain(hint)
    })
  }
})

describe("met by a script:", () => {
  for (const { name, code, says, hint, inScript } of cases) {
    if (inScript === undefined) continue
    test(`${name} is ${code}, and the script fails with 1`, async () => {
      const { code: found, stdout } = await project.run(["exec", "--json", "call.ts", ...inScript])
      expect(found).toBe(1)
      const { ok, exitCode, stderr, error } = JSON.parse(stdout)
      expect({ ok, exitCode, code: error.code }).toEqual({ ok: false, exitCode: 1, code })
      // The time it may take is the server's own here.
      if (code !== "E_TOOL_TIMEOUT") expect(stderr).toContain(says)
      if (hint !== undefined) expect(stderr).toContain(`hint: `)
      expect(stderr).toContain("3 | await callTool(name, JSON.parse(args))")
    })
  }
})

describe("a script that is wrong itself", () => {
  const wrong = [
    { file: "syntax.ts", code: "E_SCRIPT_SYNTAX", exit: 1, says: "syntax.ts:2:7" },
    { file: "throws.ts", code: "E_SCRIPT_FAILED", exit: 1, says: "RangeError: too far" },
    { file: "loop.ts", code: "E_SCRIPT_TIMEOUT", exit: 124, says: "timeout" },
  ]
  for (const { file, code, exit, says } of wrong) {
    test(`${file} is ${code} and ends with ${exit}`, async () => {
      const limit = code === "E_SCRIPT_TIMEOUT" ? ["--timeout", "0.3"] : []
      const text = await project.run(["exec", ...limit, file])
      expect({ exit: text.code, stdout: text.stdout }).toEqual({ exit, stdout: "" })
      expect(text.stderr).toContain(says)
      const json = await project.run(["exec", "--json", ...limit, file])
      expect(json.code).toBe(exit)
      expect(JSON.parse(json.stdout)).toMatchObject({ ok: false, exitCode: exit, error: { code } })
    })
  }
})
