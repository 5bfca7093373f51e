import { afterAll, expect, test } from "bun:test"
import { createProject } from "../fixtures/project.ts"

const project = createProject({
  files: {
    "log.ts": `import { log } from "mcp-exec"
      const circle: Record<string, unknown> = {}
      circle.circle = circle
      console.log("the result")
      log("a", { b: [1] }, 2, undefined, null)
      log.debug("d")
      log.info("i")
      log.warning(10n, circle, Symbol("s"))
      log.error(new RangeError("far"))`,
  },
})
afterAll(() => project[Symbol.dispose]())

test("log writes any value to stderr, one line each, and leaves stdout to the result", async () => {
  const { code, stdout, stderr } = await project.run(["exec", "log.ts"])
  expect({ code, stdout }).toEqual({ code: 0, stdout: "the result\n" })
  const lines = stderr.split("\n")
  expect(lines.slice(0, 4)).toEqual([
    '[INFO] a {"b":[1]} 2 undefined null',
    "[DEBUG] d",
    "[INFO] i",
    "[WARNING] 10n <ref *1> { circle: [Circular *1] } Symbol(s)",
  ])
  expect(lines[4]).toStartWith("[ERROR] RangeError: far")
})
