// TypeScript's compiler, where the user has one. None is carried: it would be larger than all the rest.
import { statSync } from "node:fs"
import { delimiter, dirname, join } from "node:path"

/** The `tsc` of the nearest node_modules from `directory` upward, or of PATH; undefined when there is none. */
export function findCompiler(directory: string, env: Record<string, string | undefined>): string | undefined {
  const name = process.platform === "win32" ? "tsc.cmd" : "tsc"
  const folders = [
    ...upward(directory).map((folder) => join(folder, "node_modules", ".bin")),
    ...(env.PATH ?? "").split(delimiter).filter((folder) => folder !== ""),
  ]
  return folders.map((folder) => join(folder, name)).find(isFile)
}

/** The folder with a package's types, from `directory` upward. */
export function findTypes(directory: string, name: string): string | undefined {
  const roots = upward(directory).map((folder) => join(folder, "node_modules", "@types"))
  return roots.find((root) => statSync(join(root, name), { throwIfNoEntry: false })?.isDirectory())
}

function upward(directory: string): string[] {
  const parent = dirname(directory)
  return parent === directory ? [directory] : [directory, ...upward(parent)]
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}
