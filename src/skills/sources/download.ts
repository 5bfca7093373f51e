// One file over HTTPS.
import { McpExecError } from "../../errors.ts"
import { asText, failure, isOnThisMachine, largestFile, sourceHint, tooLarge } from "./source.ts"

const patienceMs = 30_000
const mostRedirects = 5

/** The text at an address. */
export async function download(url: string): Promise<string> {
  const response = await request(url)
  if (!response.ok) {
    throw failure(`${url} cannot be fetched: HTTP ${response.status}`)
  }
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > largestFile) throw tooLarge(url)
    chunks.push(chunk)
  }
  if (/^\s*text\/html\b/i.test(response.headers.get("content-type") ?? "")) {
    throw new McpExecError("E_USAGE", `${url} is a web page, not a skill`, {
      hint: "Give the address of the file itself.",
    })
  }
  return asText(Buffer.concat(chunks), url)
}

/** Follows redirects by hand: each address is looked at before it is asked, because asking can be harm enough. */
async function request(url: string): Promise<Response> {
  const signal = AbortSignal.timeout(patienceMs)
  let address = new URL(url)
  for (let followed = 0; followed <= mostRedirects; followed++) {
    let response: Response
    try {
      response = await fetch(address, { signal, redirect: "manual", headers: { accept: "text/plain, */*" } })
    } catch (cause) {
      throw failure(`${url} cannot be fetched: ${(cause as Error).message}`, cause)
    }
    const location = response.headers.get("location")
    if (response.status < 300 || response.status > 399 || location === null) return response
    const next = URL.parse(location, address.href)
    if (next === null || !mayFollow(address, next)) {
      throw new McpExecError("E_USAGE", `${url} leads where a skill is not fetched from: ${next?.href ?? location}`, {
        hint: sourceHint,
      })
    }
    address = next
  }
  throw failure(`${url} cannot be fetched: it leads from one address to the next`)
}

/** As with the first address: encrypted, or on this machine. Nobody else may send us to this machine. */
function mayFollow(from: URL, to: URL): boolean {
  if (isOnThisMachine(to)) return isOnThisMachine(from) && /^https?:$/.test(to.protocol)
  return to.protocol === "https:"
}
