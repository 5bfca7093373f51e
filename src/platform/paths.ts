// Paths on the way to a script's first line. node:path costs more to load than all of this to run,
// and these few cases need little of its care.

/** True for a path that needs no folder to start from. */
export function isAbsolute(path: string): boolean {
  return path.startsWith("/") || (process.platform === "win32" && /^([A-Za-z]:)?[\\/]/.test(path))
}

/** `path` as seen from `directory`. No `..` is resolved: the operating system does that. */
export function within(directory: string, path: string): string {
  if (isAbsolute(path)) return path
  const relative = path.startsWith("./") ? path.slice(2) : path
  return directory.endsWith("/") ? directory + relative : `${directory}/${relative}`
}

/** The one name of what `path` means in `directory`, without `.` and `..`. */
export function resolveWithin(directory: string, path: string): string {
  if (process.platform === "win32") return process.getBuiltinModule("node:path").resolve(directory, path)
  const parts: string[] = []
  for (const part of within(directory, path).split("/")) {
    if (part === "..") parts.pop()
    else if (part !== "" && part !== ".") parts.push(part)
  }
  return `/${parts.join("/")}`
}

/** The folder that holds a file or folder; undefined for a root. */
export function parentOf(path: string): string | undefined {
  const at = Math.max(path.lastIndexOf("/"), process.platform === "win32" ? path.lastIndexOf("\\") : -1)
  if (at < 0 || at === path.length - 1) return undefined
  const isRoot = at === 0 || (process.platform === "win32" && path[at - 1] === ":")
  return path.slice(0, isRoot ? at + 1 : at)
}
