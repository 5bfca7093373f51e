// Two trees that differ in every way a tree can, and a look at what is on disk.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { header } from "../../src/codegen/print-wrapper.ts"
import { listFiles } from "../../src/codegen/write-tree.ts"

/** Files that are the same in both, that differ, and that only one of them has. */
export function treeOf(which: "old" | "new"): Map<string, string> {
  const files = new Map<string, string>([["_runtime.ts", "export {}\n"]])
  for (let at = 0; at < 40; at++) {
    files.set(`same/tool${at}.ts`, `${header}export const same = ${at}\n`)
    files.set(`changes/tool${at}.ts`, `${header}export const which = "${which}"\n`)
    files.set(`${which}/tool${at}.ts`, `${header}export const only = "${which}"\n`)
  }
  for (const folder of ["same", "changes", which]) files.set(`${folder}/index.ts`, header)
  return files.set("index.json", JSON.stringify({ which }))
}

/** All files and their texts. */
export function readTree(folder: string): Map<string, string> {
  return new Map(
    listFiles(folder)
      .sort()
      .map((path) => [path, readFileSync(join(folder, path), "utf8")]),
  )
}

export function sorted(files: ReadonlyMap<string, string>): Map<string, string> {
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)))
}
