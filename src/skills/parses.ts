// Is a text TypeScript at all? Only Bun can tell without a compiler; elsewhere it is found out in the run.

/** False when the text is certainly not TypeScript. */
export function parses(text: string): boolean {
  if (typeof Bun === "undefined") return true
  try {
    new Bun.Transpiler({ loader: "tsx" }).transformSync(text)
    return true
  } catch {
    // What only the other one of the two languages allows, such as `<T>value`.
    return parsesAsPlain(text)
  }
}

function parsesAsPlain(text: string): boolean {
  try {
    new Bun.Transpiler({ loader: "ts" }).transformSync(text)
    return true
  } catch {
    return false
  }
}
