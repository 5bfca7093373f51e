import type { Fields } from "../problems.ts"

const ourName = /^mcp-exec(@[^/]*)?(\.(exe|js|mjs|ts))?$/

/** True for an entry that starts mcp-exec: as a server of itself it would never come to an end. */
export function startsOurselves({ command, args }: Fields): boolean {
  if (typeof command !== "string") return false
  const words = Array.isArray(args) ? args.filter((word) => typeof word === "string") : []
  if (ourName.test(lastPart(command))) return true
  // Through npx, a runtime or a shell: only what serves, because others may work on a folder of that name.
  const at = words.findIndex((word) => ourName.test(lastPart(word)) || /[\\/]mcp-exec[\\/].*main\.ts$/.test(word))
  if (at >= 0 && words.slice(at + 1).includes("serve")) return true
  return [command, ...words].some((word) => /(^|[\s/\\])mcp-exec(@\S+|\.exe)?\s(.*\s)?serve\b/.test(word))
}

function lastPart(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? ""
}
