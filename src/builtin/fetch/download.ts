// From a URL to the response of the page it leads to. Redirects are followed by hand, so that each
// one is checked, and the connection is made to an address that was checked: between the check and
// the connection no name is resolved again.
import type { IncomingMessage } from "node:http"
import { version } from "../../version.ts"
import { type Address, checkedAddresses, type Resolve } from "./address.ts"
import { causeOf, FetchFailure } from "./failure.ts"
import type { FetchOptions } from "./options.ts"

const maxRedirects = 5
const redirectStatuses = new Set([301, 302, 303, 307, 308])

export interface Download {
  /** After redirects. */
  url: URL
  response: IncomingMessage
}

/** Requests a URL and what it redirects to. The caller must consume or destroy the response. */
export async function download(
  url: URL,
  accept: string,
  options: FetchOptions,
  resolve: Resolve,
  signal: AbortSignal,
): Promise<Download> {
  let current = url
  for (let redirects = 0; ; redirects++) {
    const addresses = await abortable(checkedAddresses(current, options, resolve), signal)
    const response = await request(current, addresses, accept, signal)
    const next = redirectTarget(current, response)
    if (next === undefined) return { url: current, response }
    response.destroy()
    if (redirects === maxRedirects) throw new FetchFailure(`${url.href} redirects more than ${maxRedirects} times`)
    current = next
  }
}

/** Reads an address that the tool may be asked for, or that a page redirects to. */
export function parseUrl(text: string, base?: URL): URL {
  if (!URL.canParse(text, base?.href))
    throw new FetchFailure(`Not a URL: ${text}. Give it in full, as in https://example.com/page`)
  const url = new URL(text, base?.href)
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new FetchFailure(`Refused to fetch ${url.href}: only http and https are supported`)
  }
  if (url.username !== "" || url.password !== "") {
    throw new FetchFailure(`Refused to fetch ${url.origin}: a URL must not hold a user name or password`)
  }
  return url
}

/** The system's resolver: also the hosts file, as for any other program. */
export async function resolveWithSystem(hostname: string): Promise<Address[]> {
  const { lookup } = await import("node:dns/promises")
  return lookup(hostname, { all: true })
}

async function request(url: URL, addresses: Address[], accept: string, signal: AbortSignal): Promise<IncomingMessage> {
  const { request: open } = url.protocol === "https:" ? await import("node:https") : await import("node:http")
  return new Promise((resolve, reject) => {
    const outgoing = open(
      url,
      {
        // No pool: a kept connection would be chosen by its name, not by the address checked now.
        agent: false,
        signal,
        headers: { "user-agent": `mcp-exec/${version}`, accept, "accept-encoding": "gzip, br, zstd" },
        lookup: (_hostname, query, callback) => {
          const [first] = addresses
          if (query.all) callback(null, addresses)
          else callback(null, first?.address ?? "", first?.family)
        },
      },
      resolve,
    )
    outgoing.on("error", (error) => {
      reject(
        signal.aborted
          ? signal.reason
          : new FetchFailure(`${url.href} could not be fetched: ${causeOf(error)}`, { cause: error }),
      )
    })
    outgoing.end()
  })
}

function redirectTarget(url: URL, response: IncomingMessage): URL | undefined {
  const { location } = response.headers
  if (!redirectStatuses.has(response.statusCode ?? 0) || location === undefined) return undefined
  return parseUrl(location, url)
}

// A name server that does not answer cannot be cancelled, only abandoned.
function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    if (signal.aborted) onAbort()
    signal.addEventListener("abort", onAbort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort))
  })
}
