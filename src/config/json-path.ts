// How a place inside the configuration is written in errors and warnings.

export type JsonPath = readonly (string | number)[]

/** Writes a path as a reader would: `mcpServers.github.args[1]`, `mcpServers["a b"].url`. */
export function formatPath(path: JsonPath): string {
  return path.reduce<string>((text, segment) => text + formatSegment(segment, text === ""), "")
}

function formatSegment(segment: string | number, isFirst: boolean): string {
  if (typeof segment === "number") return `[${segment}]`
  if (!/^[\w$-]+$/.test(segment)) return `[${JSON.stringify(segment)}]`
  return isFirst ? segment : `.${segment}`
}
