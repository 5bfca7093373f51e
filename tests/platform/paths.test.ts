import { expect, test } from "bun:test"
import { resolve } from "node:path"
import { parentOf, resolveWithin, within } from "../../src/platform/paths.ts"

test.each([
  ["/a/b", "c.json"],
  ["/a/b", "./c.json"],
  ["/a/b", "../c.json"],
  ["/a/b", "../../../c.json"],
  ["/a/b", "c/../d//e/./f.json"],
  ["/a/b/", "c.json"],
  ["/", "c.json"],
  ["/a/b", "/x/../y.json"],
  ["/a/b", "..c/.d"],
  ["/a/b", "."],
])("in %s, %s means what node:path says", (directory, path) => {
  expect(resolveWithin(directory, path)).toBe(resolve(directory, path))
})

test("a path within a folder keeps its dots, for the operating system", () => {
  expect(within("/a", "../b")).toBe("/a/../b")
  expect(within("/a/", "./b")).toBe("/a/b")
  expect(within("/a", "/b")).toBe("/b")
})

test("every folder but a root has a parent", () => {
  expect(parentOf("/a/b")).toBe("/a")
  expect(parentOf("/a")).toBe("/")
  expect(parentOf("/")).toBeUndefined()
})
