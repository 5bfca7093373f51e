/**
 * True for a file with something in it that is no skill, which may have to be approved first. Bun reads the size without
 * loading anything; only a folder has one when its name ends in a slash.
 */
export function isPlainScript(path: string): boolean {
  if (path.includes(process.platform === "win32" ? "skills" : "/skills/")) return false
  return typeof Bun !== "undefined" && Bun.file(path).size > 0 && Bun.file(`${path}/`).size === 0
}
