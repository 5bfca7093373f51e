import { describe, expect, test } from "bun:test"
import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { KeptFiles } from "../../src/operations/kept-files.ts"
import { createProject } from "../fixtures/project.ts"

const bytes = new TextEncoder().encode("kept")

describe("files to be kept", () => {
  test("are in the workspace when they are written, and not before", () => {
    using project = createProject()
    const kept = new KeptFiles(project.path("workspace"))
    expect(kept.add("a/b/c.txt", bytes)).toBe(project.path("workspace/a/b/c.txt"))
    kept.add("top.txt", bytes)
    expect(readdirSync(project.directory)).toEqual([])
    kept.write()
    expect(readFileSync(project.path("workspace/a/b/c.txt"), "utf8")).toBe("kept")
    expect(readdirSync(project.path("workspace")).sort()).toEqual(["a", "top.txt"])
  })

  const bad = [
    "",
    "/etc/passwd",
    "../a",
    "a/../../b",
    "a//b",
    "a/",
    ".env",
    "a/.git/config",
    "a\0b",
    "a\\b",
    "c:d",
    "a\nb",
  ]
  for (const name of bad) {
    test(`may not be called ${JSON.stringify(name)}`, () => {
      expect(() => new KeptFiles("/nowhere").add(name, bytes)).toThrow("cannot be kept as")
    })
  }

  test("replace a link instead of following it", () => {
    using project = createProject({ files: { "outside.txt": "safe", "workspace/x": "" } })
    symlinkSync(project.path("outside.txt"), project.path("workspace/link.txt"))
    const kept = new KeptFiles(project.path("workspace"))
    kept.add("link.txt", bytes)
    kept.write()
    expect(readFileSync(project.path("outside.txt"), "utf8")).toBe("safe")
    expect(lstatSync(project.path("workspace/link.txt")).isFile()).toBe(true)
  })

  test("do not go through a folder that is a link, nor through a file", () => {
    using project = createProject({ files: { "workspace/file": "" } })
    mkdirSync(project.path("outside"))
    symlinkSync(project.path("outside"), project.path("workspace/link"))
    for (const name of ["link/a.txt", "file/a.txt"]) {
      const kept = new KeptFiles(project.path("workspace"))
      kept.add(name, bytes)
      expect(() => kept.write()).toThrow("is not a folder")
    }
    expect(readdirSync(project.path("outside"))).toEqual([])
  })

  test("do not replace a folder, and leave nothing half-written", () => {
    using project = createProject({ files: { "workspace/folder/x": "" } })
    const kept = new KeptFiles(project.path("workspace"))
    kept.add("folder", bytes)
    expect(() => kept.write()).toThrow("could not be kept")
    expect(readdirSync(project.path("workspace"))).toEqual(["folder"])
  })

  test("are limited in size and number; one that is replaced counts once", () => {
    const kept = new KeptFiles("/nowhere")
    const half = new Uint8Array(33 << 20)
    kept.add("a", half)
    kept.add("a", half)
    expect(() => kept.add("b", half)).toThrow("more than one run may keep")
    for (let index = 0; index < 999; index++) kept.add(`small-${index}`, bytes)
    expect(() => kept.add("one more", bytes)).toThrow("more than one run may keep")
  })

  test("need a workspace that is a folder", () => {
    using project = createProject()
    writeFileSync(project.path("workspace"), "")
    const kept = new KeptFiles(project.path("workspace"))
    kept.add("a", bytes)
    expect(() => kept.write()).toThrow()
  })
})
