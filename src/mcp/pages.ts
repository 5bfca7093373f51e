// Lists that come in pages.
import { ServerError } from "../errors.ts"
import type { Fields } from "./fields.ts"

const maxPages = 1000

/** Where each list is found in the result of its method. */
export const listKeys = {
  "tools/list": "tools",
  "prompts/list": "prompts",
  "resources/list": "resources",
  "resources/templates/list": "resourceTemplates",
} as const

export type ListMethod = keyof typeof listKeys

/** All items of a list, page after page. */
export async function fetchPages(
  server: string,
  method: ListMethod,
  fetchPage: (params: { cursor?: string }) => Promise<Fields>,
): Promise<unknown[]> {
  const items: unknown[] = []
  const seen = new Set<string>()
  let cursor: string | undefined
  for (let page = 0; page < maxPages; page++) {
    const result = await fetchPage(cursor === undefined ? {} : { cursor })
    const found = result[listKeys[method]]
    if (!Array.isArray(found)) {
      throw new ServerError("E_SERVER_PROTOCOL", server, `Server '${server}' answered ${method} without a list`)
    }
    for (const item of found) items.push(item)
    const next = result.nextCursor
    // An empty cursor is how some servers say that there is no more.
    if (typeof next !== "string" || next === "") return items
    if (seen.has(next)) throw endless(server, method, "the same cursor came twice")
    seen.add(next)
    cursor = next
  }
  throw endless(server, method, `there is still more after ${maxPages} pages`)
}

function endless(server: string, method: ListMethod, reason: string): ServerError {
  return new ServerError("E_SERVER_PROTOCOL", server, `Server '${server}' answers ${method} without end: ${reason}`, {
    hint: "This is a fault of the server's pagination (nextCursor).",
  })
}
