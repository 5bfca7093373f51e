/** Any value in words. A script may throw and log anything, also what JSON cannot hold. */
export function asText(value: unknown): string {
  if (typeof value === "string") return value
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    return inspected(value) // a cycle, a bigint, a getter that throws
  }
}

function inspected(value: unknown): string {
  try {
    return process.getBuiltinModule("node:util").inspect(value)
  } catch {
    return "something that cannot be shown"
  }
}
