// Queries that are a tool's name, or the beginning of one, in any spelling.
import type { SearchIndex } from "./open-index.ts"
import { compactName } from "./tokenize.ts"

/** How a query fits a name: it is the name, the name begins with it, or neither. */
export const nameFits = { exact: 2, prefix: 1, none: 0 } as const

const shortestPrefix = 2
const longestName = 256

/** How a query fits the name of each tool, with or without the server's name before it. */
export function fitNames(index: SearchIndex, text: string): Uint8Array {
  const fits = new Uint8Array(index.toolCount)
  const query = text.length > longestName ? "" : compactName(text)
  if (query === "") return fits
  for (const { name, tools, firstTool } of index.servers) {
    const server = compactName(name)
    const afterServer = server !== "" && query.startsWith(server) ? query.slice(server.length) : undefined
    for (let place = 0; place < tools.length; place++) {
      const tool = tools[place] as string
      let fit: number = query.length < shortestPrefix ? nameFits.none : fitName(tool, query)
      if (afterServer !== undefined) fit = Math.max(fit, fitName(tool, afterServer))
      fits[firstTool + place] = fit
    }
  }
  return fits
}

function fitName(tool: string, query: string): number {
  // Most names differ in the first letter, which is cheap to see.
  const first = tool.charCodeAt(0) | 32
  if (first >= 97 && first <= 122 && query !== "" && first !== query.charCodeAt(0)) return nameFits.none
  const name = compactName(tool)
  if (name === query) return nameFits.exact
  return name.startsWith(query) ? nameFits.prefix : nameFits.none
}
