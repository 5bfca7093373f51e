// Which addresses a URL may lead to. A page, a redirect or a name server must not make this program
// talk to machines that only it can reach: what is not public unicast is refused unless allowed.
import ipaddr from "ipaddr.js"
import { causeOf, FetchFailure } from "./failure.ts"
import type { FetchOptions } from "./options.ts"

export interface Address {
  address: string
  family: number
}

/** Every address of a name. The system's resolver, except in tests. */
export type Resolve = (hostname: string) => Promise<Address[]>

/** The addresses a URL may be fetched from, all of them checked. The connection must go to one of these. */
export async function checkedAddresses(url: URL, options: FetchOptions, resolve: Resolve): Promise<Address[]> {
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1")
  const addresses = ipaddr.isValid(host) ? [literal(host)] : await resolveName(host, resolve)
  if (options.allowPrivate || isAllowedHost(url, options)) return addresses
  for (const { address } of addresses) {
    const kind = nonPublicKind(address)
    if (kind !== undefined) throw refusal(url, host === address ? host : `${host} (${address})`, kind)
  }
  return addresses
}

/** What an address is when it is not public unicast: "loopback", "private", … Undefined when it is. */
export function nonPublicKind(address: string): string | undefined {
  if (!ipaddr.isValid(address)) return "unintelligible"
  const parsed = ipaddr.process(address)
  if (parsed.toString() === azureHost) return "cloud host"
  const range: string = parsed.range()
  if (range !== "unicast") return rangeNames[range] ?? range
  // Of the IPv6 space only 2000::/3 has been given out for public use.
  return parsed.kind() === "ipv6" && !parsed.match(publicIPv6, 3) ? "reserved" : undefined
}

// Looks public, but inside that cloud it is the machine's own host, which hands out secrets.
const azureHost = "168.63.129.16"

const publicIPv6 = ipaddr.IPv6.parse("2000::")

const rangeNames: Record<string, string> = {
  carrierGradeNat: "carrier-grade NAT",
  linkLocal: "link-local",
  uniqueLocal: "unique-local",
  rfc6052: "NAT64",
  rfc6145: "IPv4-translated",
}

function literal(host: string): Address {
  return { address: host, family: ipaddr.parse(host).kind() === "ipv6" ? 6 : 4 }
}

async function resolveName(host: string, resolve: Resolve): Promise<Address[]> {
  const addresses = await resolve(host).catch((error: unknown) => {
    throw new FetchFailure(`The host ${host} was not found: ${causeOf(error)}`, { cause: error })
  })
  if (addresses.length === 0) throw new FetchFailure(`The host ${host} has no address`)
  return addresses
}

function isAllowedHost(url: URL, options: FetchOptions): boolean {
  const port = url.port || (url.protocol === "https:" ? "443" : "80")
  return options.allowedHosts.some(
    (allowed) => allowed.hostname === url.hostname && (allowed.port === undefined || allowed.port === port),
  )
}

function refusal(url: URL, host: string, kind: string): FetchFailure {
  return new FetchFailure(
    `Refused to fetch ${url.href}: ${host} is not a public address (${kind}). ` +
      `To allow it, give the fetch server "args": ["--allow-host=${url.host}"], or ["--allow-private"] for all.`,
  )
}
