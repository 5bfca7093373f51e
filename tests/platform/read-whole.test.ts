import { expect, test } from "bun:test"
import { chmodSync } from "node:fs"
import { join } from "node:path"
import { readWhole } from "../../src/platform/read-whole.ts"
import { createProject } from "../fixtures/project.ts"

test("reads a file whole, also an empty one", () => {
  using project = createProject({ files: { text: "für alle\n", empty: "" } })
  expect(readWhole(join(project.directory, "text"))).toBe("für alle\n")
  expect(readWhole(join(project.directory, "empty"))).toBe("")
})

test("throws where there is no file", () => {
  using project = createProject({ files: {} })
  expect(() => readWhole(join(project.directory, "none"))).toThrow("ENOENT")
  expect(() => readWhole(project.directory)).toThrow("EISDIR")
})

test.skipIf(process.getuid?.() !== 0)("reads a file that this user may not write", () => {
  using project = createProject({ files: { text: "text" } })
  chmodSync(project.directory, 0o755)
  const [file, module] = [join(project.directory, "text"), join(import.meta.dir, "../../src/platform/read-whole.ts")]
  const code = `process.setuid(65534);const { readWhole } = await import(${JSON.stringify(module)});console.log(readWhole(${JSON.stringify(file)}))`
  const { stdout, stderr } = Bun.spawnSync([process.execPath, "-e", code])
  expect([stdout.toString(), stderr.toString()]).toEqual(["text\n", ""])
})
