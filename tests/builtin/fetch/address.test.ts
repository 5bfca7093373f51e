import { describe, expect, test } from "bun:test"
import { type Address, checkedAddresses, nonPublicKind } from "../../../src/builtin/fetch/address.ts"
import { FetchFailure } from "../../../src/builtin/fetch/failure.ts"
import { parseFetchOptions } from "../../../src/builtin/fetch/options.ts"

const kinds: Record<string, string | undefined> = {
  "93.184.216.34": undefined,
  "8.8.8.8": undefined,
  "2606:4700:4700::1111": undefined,
  "::ffff:8.8.8.8": undefined,
  "127.0.0.1": "loopback",
  "127.255.255.254": "loopback",
  "::1": "loopback",
  "::ffff:127.0.0.1": "loopback",
  "0.0.0.0": "unspecified",
  "0.1.2.3": "unspecified",
  "::": "unspecified",
  "10.0.0.1": "private",
  "172.16.0.1": "private",
  "172.31.255.255": "private",
  "192.168.1.1": "private",
  "::ffff:192.168.1.1": "private",
  "100.64.0.1": "carrier-grade NAT",
  "100.100.100.200": "carrier-grade NAT",
  "169.254.169.254": "link-local",
  "::ffff:a9fe:a9fe": "link-local",
  "fe80::1": "link-local",
  "fd00:ec2::254": "unique-local",
  "fc00::1": "unique-local",
  "fec0::1": "deprecatedSiteLocal",
  "2002:7f00:1::": "6to4",
  "64:ff9b::7f00:1": "NAT64",
  "64:ff9b:1::7f00:1": "NAT64",
  "2001::1": "teredo",
  "::7f00:1": "reserved",
  "::ffff:0:7f00:1": "IPv4-translated",
  "4000::1": "reserved",
  "2001:db8::1": "reserved",
  "192.0.0.8": "reserved",
  "192.0.2.1": "reserved",
  "198.18.0.1": "reserved",
  "203.0.113.7": "reserved",
  "240.0.0.1": "reserved",
  "255.255.255.255": "broadcast",
  "224.0.0.1": "multicast",
  "ff02::1": "multicast",
  "168.63.129.16": "cloud host",
  "not an address": "unintelligible",
}

describe("an address is public, or named for what it is", () => {
  for (const [address, kind] of Object.entries(kinds)) {
    test(`${address} is ${kind ?? "public"}`, () => expect(nonPublicKind(address)).toBe(kind as string))
  }
})

const refused = [
  "http://127.0.0.1/",
  "http://2130706433/",
  "http://0x7f.1/",
  "http://0x7f000001/",
  "http://017700000001/",
  "http://127.1/",
  "http://127.0.0.1./",
  "http://①②⑦.0.0.1/",
  "http://127。0。0。1/",
  "http://0/",
  "http://[::1]/",
  "http://[::]/",
  "http://[::ffff:127.0.0.1]/",
  "http://[::127.0.0.1]/",
  "http://[64:ff9b::127.0.0.1]/",
  "http://[2002:7f00:1::]/",
  "http://169.254.169.254/latest/meta-data/",
  "http://2852039166/",
  "http://localhost/",
  "http://LOCALHOST:8080/",
  "http://localhost./",
  "https://192.168.0.1/",
]

describe("a URL that leads to this machine or network is refused however it is spelled", () => {
  for (const url of refused) {
    test(url, async () => {
      const error = await failure(check(url))
      expect(error.message).toStartWith(`Refused to fetch ${new URL(url).href}: `)
      expect(error.message).toContain('"args": ["--allow-host=')
      expect((await check(url, ["--allow-private"])).length).toBeGreaterThan(0)
    })
  }
})

test("a name is refused when any of its addresses is not public", async () => {
  const mixed = async () => [v4("93.184.216.34"), v4("10.0.0.1")]
  const error = await failure(check("http://mixed.test/", [], mixed))
  expect(error.message).toContain("mixed.test (10.0.0.1) is not a public address (private)")
  const all = async () => [v4("93.184.216.34"), v4("8.8.8.8")]
  expect(await check("http://public.test/", [], all)).toEqual(await all())
})

test("an allowed host is reached wherever it is, on the port it was allowed for", async () => {
  const here = async () => [v4("127.0.0.1")]
  const cases: [string, string, boolean][] = [
    ["dev.test", "http://dev.test:3000/", true],
    ["DEV.test", "https://dev.test/", true],
    ["dev.test:3000", "http://dev.test:3000/", true],
    ["dev.test:80", "http://dev.test/", true],
    ["dev.test:443", "https://dev.test/", true],
    ["dev.test:3000", "http://dev.test/", false],
    ["dev.test", "http://other.dev.test/", false],
    ["127.0.0.1", "http://2130706433/", true],
    ["[::1]:8080", "http://[::1]:8080/", true],
  ]
  for (const [allowed, url, reached] of cases) {
    const checked = check(url, [`--allow-host=${allowed}`], here)
    if (reached) expect(await checked).toHaveLength(1)
    else await failure(checked)
  }
})

test("a name without an address says so", async () => {
  expect((await failure(check("http://none.test/", [], async () => []))).message).toBe(
    "The host none.test has no address",
  )
  const failing = () => Promise.reject(Object.assign(new Error("no such name"), { code: "ENOTFOUND" }))
  expect((await failure(check("http://none.test/", [], failing))).message).toBe(
    "The host none.test was not found: no such name (ENOTFOUND)",
  )
})

function check(url: string, flags: string[] = [], resolve = resolveHere): Promise<Address[]> {
  return checkedAddresses(new URL(url), parseFetchOptions(flags), resolve)
}

async function resolveHere(): Promise<Address[]> {
  return [v4("127.0.0.1")]
}

function v4(address: string): Address {
  return { address, family: 4 }
}

async function failure(promise: Promise<unknown>): Promise<FetchFailure> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(FetchFailure)
  return error as FetchFailure
}
