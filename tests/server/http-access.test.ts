import { describe, expect, test } from "bun:test"
import * as sdk from "@modelcontextprotocol/server"
import { isLoopback, refuse } from "../../src/server/http-access.ts"

const token = "a-token-of-some-length"

interface Case {
  name: string
  host?: string
  token?: string
  headers: Record<string, string>
  want: number | undefined
}

const cases: Case[] = [
  { name: "a plain client", headers: { host: "127.0.0.1:80" }, want: undefined },
  { name: "a client by name", headers: { host: "localhost" }, want: undefined },
  { name: "no host at all", headers: {}, want: 403 },
  { name: "a name that leads here", headers: { host: "evil.example:80" }, want: 403 },
  { name: "a page of this machine", headers: { host: "localhost", origin: "http://localhost:5173" }, want: undefined },
  { name: "a page of another", headers: { host: "localhost", origin: "https://evil.example" }, want: 403 },
  { name: "a page of nobody", headers: { host: "localhost", origin: "null" }, want: 403 },
  { name: "a wrong token", token, headers: { host: "localhost", authorization: "Bearer no" }, want: 401 },
  { name: "half a token", token, headers: { host: "localhost", authorization: `Bearer ${token.slice(1)}` }, want: 401 },
  { name: "no token", token, headers: { host: "localhost" }, want: 401 },
  { name: "the token", token, headers: { host: "localhost", authorization: `Bearer ${token}` }, want: undefined },
  {
    name: "the token in other letters",
    token,
    headers: { host: "localhost", authorization: `bearer ${token}` },
    want: undefined,
  },
  {
    name: "a host of the network",
    host: "192.0.2.7",
    token,
    headers: { host: "192.0.2.7:80", authorization: `Bearer ${token}` },
    want: undefined,
  },
  {
    name: "any host when we are everywhere",
    host: "0.0.0.0",
    token,
    headers: { host: "box.lan", authorization: `Bearer ${token}` },
    want: undefined,
  },
  {
    name: "a page of another, everywhere",
    host: "0.0.0.0",
    token,
    headers: { host: "box.lan", origin: "https://evil.example", authorization: `Bearer ${token}` },
    want: 403,
  },
]

describe("over HTTP", () => {
  for (const { name, host = "127.0.0.1", token: wanted, headers, want } of cases) {
    test(`${name} is ${want === undefined ? "let in" : "refused"}`, () => {
      const request = new Request("http://127.0.0.1/mcp", { headers })
      expect(refuse(request, { host, token: wanted, sdk })?.status).toBe(want)
    })
  }

  test("only some addresses are this machine alone", () => {
    expect(["127.0.0.1", "127.1.2.3", "localhost", "::1"].every(isLoopback)).toBe(true)
    expect(["0.0.0.0", "::", "192.0.2.1", "127.0.0.1.evil.example", "localhost.evil.example"].some(isLoopback)).toBe(
      false,
    )
  })
})
