import { describe, expect, test } from "bun:test"
import { type AddressInfo, createServer } from "node:net"
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib"
import { fetchPage, startSite } from "./site.ts"

function bytes(body: Uint8Array | string, headers: Record<string, string>): () => Response {
  return () => new Response(typeof body === "string" ? body : new Uint8Array(body), { headers })
}

describe("a body", () => {
  const text = "compressed, and read as it was"
  const encodings = {
    gzip: gzipSync(text),
    "x-gzip": gzipSync(text),
    deflate: deflateSync(text),
    br: brotliCompressSync(text),
    zstd: zstdCompressSync(text),
    "gzip, br": brotliCompressSync(gzipSync(text)),
    identity: Buffer.from(text),
  }
  for (const [encoding, body] of Object.entries(encodings)) {
    test(`encoded as ${encoding} is decoded`, async () => {
      using site = startSite({ "/": bytes(body, { "content-encoding": encoding, "content-type": "text/plain" }) })
      expect((await fetchPage({ url: site.origin })).text).toBe(text)
    })
  }

  test("in an unknown or broken encoding is an error", async () => {
    using site = startSite({
      "/unknown": bytes("x", { "content-encoding": "rot13", "content-type": "text/plain" }),
      "/broken": bytes("not gzip", { "content-encoding": "gzip", "content-type": "text/plain" }),
      "/often": bytes("x", { "content-encoding": "gzip, gzip, gzip", "content-type": "text/plain" }),
    })
    const read = async (path: string) => await fetchPage({ url: site.origin + path })
    expect(await read("/unknown")).toMatchObject({ isError: true, text: expect.stringContaining("encoded as rot13") })
    expect(await read("/broken")).toMatchObject({ isError: true, text: expect.stringContaining("broke off") })
    expect(await read("/often")).toMatchObject({ isError: true, text: expect.stringContaining("3 times") })
  })
})

test("a body that ends before its time is an error", async () => {
  const server = createServer((socket) => {
    socket.once("data", () =>
      socket.end("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 99\r\n\r\nhalf"),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const { text, isError } = await fetchPage({ url: `http://127.0.0.1:${port}/` })
  server.close()
  expect(isError).toBe(true)
  expect(text).toStartWith("The page broke off while it was read: ")
})

describe("the size limit", () => {
  test("counts what a small body inflates to", async () => {
    const bomb = gzipSync(Buffer.alloc(200_000_000))
    using site = startSite({
      "/gzip": bytes(bomb, { "content-encoding": "gzip", "content-type": "text/plain" }),
      "/twice": bytes(gzipSync(bomb), { "content-encoding": "gzip, gzip", "content-type": "text/plain" }),
    })
    const before = process.memoryUsage().rss
    for (const path of ["/gzip", "/twice"]) {
      const { text, isError } = await fetchPage({ url: site.origin + path })
      expect(isError).toBe(true)
      expect(text).toBe(
        'The page is larger than 5000000 bytes. To allow more, give the fetch server "args": ["--max-bytes=N"].',
      )
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000)
  })

  test("is the one of the arguments, to the byte", async () => {
    using site = startSite({ "/": bytes("x".repeat(1000), { "content-type": "text/plain" }) })
    const fits = await fetchPage({ url: site.origin }, { flags: ["--allow-private", "--max-bytes=1000"] })
    expect(fits.text).toHaveLength(1000)
    const exceeds = await fetchPage({ url: site.origin }, { flags: ["--allow-private", "--max-bytes=999"] })
    expect(exceeds.isError).toBe(true)
  })
})

describe("the charset", () => {
  const cases: { name: string; type: string; body: Uint8Array; want: string }[] = [
    { name: "of the header", type: "text/plain; charset=windows-1252", body: octets(0x80, 0xe9), want: "€é" },
    { name: "in quotes", type: 'text/plain; Charset="Shift_JIS"', body: octets(0x93, 0xfa), want: "日" },
    {
      name: "of the page",
      type: "text/html",
      body: Buffer.concat([Buffer.from('<html><head><meta charset="iso-8859-1"></head><body><p>'), octets(0xe9)]),
      want: "é",
    },
    {
      name: "of the page's older form",
      type: "text/html",
      body: Buffer.concat([
        Buffer.from('<html><head><meta http-equiv="Content-Type" content="text/html; charset=koi8-r"></head><body><p>'),
        octets(0xc1),
      ]),
      want: "а",
    },
    {
      name: "of the byte order mark, whatever the header says",
      type: "text/plain; charset=iso-8859-1",
      body: Buffer.concat([octets(0xff, 0xfe), Buffer.from("ü", "utf16le")]),
      want: "ü",
    },
    { name: "by default is UTF-8", type: "text/plain", body: Buffer.from("ü€😀"), want: "ü€😀" },
    { name: "nobody knows is taken as UTF-8", type: "text/plain; charset=klingon", body: Buffer.from("ü"), want: "ü" },
  ]
  for (const { name, type, body, want } of cases) {
    test(`${name}`, async () => {
      using site = startSite({ "/": bytes(body, { "content-type": type }) })
      expect((await fetchPage({ url: site.origin })).text).toBe(want)
    })
  }
})

function octets(...values: number[]): Uint8Array {
  return Uint8Array.from(values)
}
