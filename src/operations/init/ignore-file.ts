/** The text of a .gitignore that has these lines; undefined when it says so already. */
export function addIgnored(existing: string | undefined, lines: readonly string[]): string | undefined {
  const present = new Set((existing ?? "").split(/\r?\n/).map(plain))
  const missing = lines.filter((line) => !present.has(plain(line)))
  if (missing.length === 0) return undefined
  const eol = existing?.includes("\r\n") ? "\r\n" : "\n"
  const before =
    existing === undefined || existing === "" || existing.endsWith("\n") ? (existing ?? "") : existing + eol
  return `${before}${missing.map((line) => line + eol).join("")}`
}

/** `servers`, `/servers/` and `/servers/*` mean the same to us. */
function plain(line: string): string {
  return line
    .trim()
    .replace(/^\//, "")
    .replace(/\/?\*{0,2}$/, "")
}
