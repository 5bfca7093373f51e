import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { header } from "../../src/codegen/print-wrapper.ts"
import { planWrite, writeFiles } from "../../src/codegen/write.ts"
import { readTree, sorted, treeOf } from "./trees.ts"

let parent: string
let folder: string
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "mcp-exec-write-"))
  folder = join(parent, "servers")
})
afterEach(() => rmSync(parent, { recursive: true, force: true }))

describe("a folder", () => {
  test("is made, with the folders above it, and holds exactly the files", async () => {
    folder = join(parent, "a/b/servers")
    const { write } = await writeFiles(folder, treeOf("old"))
    expect(write.length).toBe(treeOf("old").size)
    expect(readTree(folder)).toEqual(sorted(treeOf("old")))
    expect(readdirSync(join(parent, "a/b"))).toEqual(["servers"])
  })

  test("is not touched when nothing has changed", async () => {
    await writeFiles(folder, treeOf("old"))
    const before = [folder, join(folder, "index.json"), join(folder, "same/tool1.ts")].map((path) => statSync(path))
    const { write, remove, unchanged } = await writeFiles(folder, treeOf("old"))
    const after = [folder, join(folder, "index.json"), join(folder, "same/tool1.ts")].map((path) => statSync(path))
    expect({ write, remove, unchanged: unchanged.length }).toEqual({
      write: [],
      remove: [],
      unchanged: treeOf("old").size,
    })
    expect(after.map(({ ino, mtimeMs }) => [ino, mtimeMs])).toEqual(before.map(({ ino, mtimeMs }) => [ino, mtimeMs]))
  })

  test("gets what is new, loses what is stale, and keeps the files that stay", async () => {
    await writeFiles(folder, treeOf("old"))
    const before = statSync(join(folder, "same/tool1.ts"))
    const plan = planWrite(folder, treeOf("new"))
    expect(readTree(folder)).toEqual(sorted(treeOf("old")))
    expect(await writeFiles(folder, treeOf("new"))).toEqual(plan)
    expect(readTree(folder)).toEqual(sorted(treeOf("new")))
    expect(statSync(join(folder, "same/tool1.ts"))).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs })
    expect(readdirSync(folder)).not.toContain("old")
  })

  test("may be reached through a link", async () => {
    mkdirSync(join(parent, "elsewhere"))
    symlinkSync(join(parent, "elsewhere"), folder)
    await writeFiles(folder, treeOf("old"))
    expect(readTree(join(parent, "elsewhere"))).toEqual(sorted(treeOf("old")))
  })

  test("is made where a link leads, and the link stays", async () => {
    symlinkSync("elsewhere", folder)
    await writeFiles(folder, treeOf("old"))
    await writeFiles(folder, treeOf("new"))
    expect(readTree(join(parent, "elsewhere"))).toEqual(sorted(treeOf("new")))
    expect(lstatSync(folder).isSymbolicLink()).toBe(true)
  })

  test("keeps the servers that were not asked", async () => {
    await writeFiles(folder, treeOf("old"))
    await writeFiles(folder, treeOf("new"), { keep: new Set(["old"]) })
    expect(readFileSync(join(folder, "old/tool1.ts"), "utf8")).toContain(`"old"`)
  })

  test("keeps what its owner has put there", async () => {
    const stub = "export {}\n"
    await writeFiles(folder, treeOf("old").set("old/utils.ts", stub).set("same/utils.ts", stub))
    const own: Record<string, string> = {
      ".gitkeep": "",
      "notes.md": "mine",
      "old/utils.ts": "export const mine = 1\n",
      "same/utils.ts": "export const mine = 2\n",
      "old/types.discovered.ts": `${header}export type A = string\n`,
      "same/handmade.ts": "export const handmade = true\n",
      "same/deep/er.ts": `${header}export {}\n`,
    }
    mkdirSync(join(folder, "same/deep"))
    for (const [path, text] of Object.entries(own)) writeFileSync(join(folder, path), text)
    await writeFiles(folder, treeOf("new").set("same/utils.ts", stub))
    for (const [path, text] of Object.entries(own)) expect(readFileSync(join(folder, path), "utf8")).toBe(text)
    expect(existsSync(join(folder, "old/tool1.ts"))).toBe(false)
  })
})

test("a folder that cannot be written is an error that says which", async () => {
  writeFileSync(join(parent, "file"), "")
  const failure = writeFiles(join(parent, "file/servers"), treeOf("old"))
  await expect(failure).rejects.toMatchObject({ code: "E_STATE", message: expect.stringContaining("file/servers") })
})
