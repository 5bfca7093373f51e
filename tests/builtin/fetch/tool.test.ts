import { describe, expect, test } from "bun:test"
import { connectBuiltin, textOf } from "../rpc.ts"
import { fetchPage, html, startSite } from "./site.ts"

const typed = (body: string | Uint8Array<ArrayBuffer>, type: string, status = 200) =>
  new Response(body, { status, headers: { "content-type": type } })

describe("by its type a response becomes", () => {
  test("indented JSON, unless a number would be rounded", async () => {
    using site = startSite({
      "/json": () => typed('{"a":[1,2]}', "application/vnd.api+json; charset=utf-8"),
      "/long": () => typed('{"id":12345678901234567890}', "application/json"),
      "/broken": () => typed("{not json", "application/json"),
    })
    const read = async (path: string, raw = false) => (await fetchPage({ url: site.origin + path, raw })).text
    expect(await read("/json")).toBe('{\n  "a": [\n    1,\n    2\n  ]\n}')
    expect(await read("/json", true)).toBe('{"a":[1,2]}')
    expect(await read("/long")).toBe('{"id":12345678901234567890}')
    expect(await read("/broken")).toBe("{not json")
  })

  test("text as it is", async () => {
    using site = startSite({
      "/markdown": () => typed("# Title\n<b>kept</b>", "text/markdown"),
      "/feed": () => typed("<rss></rss>", "application/rss+xml"),
      "/script": () => typed("let a", "application/javascript"),
      "/unknown": () => typed(new TextEncoder().encode("plain ü"), "application/octet-stream"),
    })
    const read = async (path: string) => (await fetchPage({ url: site.origin + path })).text
    expect(await read("/markdown")).toBe("# Title\n<b>kept</b>")
    expect(await read("/feed")).toBe("<rss></rss>")
    expect(await read("/script")).toBe("let a")
    expect(await read("/unknown")).toBe("plain ü")
  })

  test("an error with type and size when it is binary", async () => {
    using site = startSite({
      "/image": () => typed(new Uint8Array(1234), "image/png"),
      "/bytes": () => typed(new Uint8Array([1, 0, 2]), "application/octet-stream"),
    })
    const image = await fetchPage({ url: `${site.origin}/image` })
    expect(image).toMatchObject({ isError: true, page: undefined })
    expect(image.text).toBe("Not text: image/png, 1234 bytes. Only text, HTML and JSON can be fetched.")
    expect((await fetchPage({ url: `${site.origin}/bytes` })).text).toStartWith(
      "Not text: application/octet-stream, 3 b",
    )
  })

  test("its source when raw is asked for", async () => {
    using site = startSite({ "/": () => html("<p>text</p>") })
    const { text, page } = await fetchPage({ url: site.origin, raw: true })
    expect(text).toContain("<title>Test page</title></head><body><p>text</p>")
    expect(page).not.toHaveProperty("title")
  })
})

test("a status other than success is an error with the start of the page", async () => {
  using site = startSite({
    "/gone": () => typed(`<html><body><h1>It is gone</h1>${"<p>more</p>".repeat(500)}</body></html>`, "text/html", 410),
    "/down": () => typed(new Uint8Array(9), "image/png", 503),
  })
  const gone = await fetchPage({ url: `${site.origin}/gone` })
  expect(gone.isError).toBe(true)
  expect(gone.text).toStartWith(`${site.origin}/gone answered 410 Gone\n\n## It is gone\n\nmore`)
  expect(gone.text.length).toBeLessThan(600)
  expect((await fetchPage({ url: `${site.origin}/down` })).text).toBe(
    `${site.origin}/down answered 503 Service Unavailable`,
  )
})

describe("a long page", () => {
  test("comes in pieces that join to the whole", async () => {
    const whole = "0123456789".repeat(25)
    using site = startSite({ "/": () => typed(whole, "text/plain") })
    const first = await fetchPage({ url: site.origin, maxLength: 100 })
    expect(first.text).toBe(`${whole.slice(0, 100)}\n\n[150 more characters: continue with startIndex 100]`)
    expect(first.page).toEqual({
      url: `${site.origin}/`,
      status: 200,
      contentType: "text/plain",
      content: whole.slice(0, 100),
      length: 250,
      nextIndex: 100,
    })
    const last = await fetchPage({ url: site.origin, maxLength: 150, startIndex: 100 })
    expect(last.text).toBe(whole.slice(100))
    expect(last.page).not.toHaveProperty("nextIndex")
    const beyond = await fetchPage({ url: site.origin, startIndex: 250 })
    expect(beyond.text).toBe("startIndex 250 is past the end: the content has 250 characters")
  })

  test("is cut at 20,000 characters, never inside one", async () => {
    using site = startSite({
      "/long": () => typed("x".repeat(30_000), "text/plain"),
      "/smiles": () => typed("😀".repeat(10), "text/plain"),
      "/empty": () => typed("", "text/plain"),
    })
    expect((await fetchPage({ url: `${site.origin}/long` })).page).toMatchObject({ nextIndex: 20_000 })
    const smiles = await fetchPage({ url: `${site.origin}/smiles`, maxLength: 5 })
    expect(smiles.page).toMatchObject({ content: "😀😀", nextIndex: 4 })
    expect((await fetchPage({ url: `${site.origin}/empty` })).page).toMatchObject({ content: "", length: 0 })
  })
})

test("wrong arguments are errors that say what is expected", async () => {
  const cases: [Record<string, unknown>, string][] = [
    [{}, "url must be a string"],
    [{ url: "example.com" }, "Not a URL: example.com. Give it in full, as in https://example.com/page"],
    [{ url: "ftp://example.com/" }, "Refused to fetch ftp://example.com/: only http and https are supported"],
    [{ url: "http://a.test", maxLength: 0 }, "maxLength must be an integer of at least 1"],
    [{ url: "http://a.test", startIndex: 1.5 }, "startIndex must be an integer of at least 0"],
    [{ url: "http://a.test", raw: "yes" }, "raw must be true or false"],
  ]
  for (const [args, text] of cases) expect(await fetchPage(args)).toEqual({ isError: true, text, page: undefined })
})

test("the server refuses this machine by default and lists one read-only tool", async () => {
  using site = startSite({ "/": () => typed("secret", "text/plain") })
  await using client = await connectBuiltin("fetch")
  const { result } = await client.request("tools/list")
  expect(result).toMatchObject({
    tools: [{ name: "fetch", annotations: { readOnlyHint: true, openWorldHint: true }, outputSchema: {} }],
  })
  const refused = await client.call("fetch", { url: site.origin })
  expect(refused.isError).toBe(true)
  expect(textOf(refused)).toContain("is not a public address (loopback)")
  expect(site.requests).toEqual([])
  await using allowed = await connectBuiltin("fetch", ["--allow-private"])
  expect(textOf(await allowed.call("fetch", { url: site.origin }))).toBe("secret")
})
