import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import { version } from "../../../src/version.ts"
import { fetchPage, type Pages, startSite } from "./site.ts"

const redirect = (location: string, status = 302) => new Response(null, { status, headers: { location } })

const pages: Pages = {
  "/hello": (request) => new Response(`hello ${request.headers.get("user-agent")}`),
  "/moved": () => redirect("/hello?x=1", 301),
  "/loop": () => redirect("/loop"),
  "/to-address": (_, origin) => redirect(`${origin.replace("localhost", "127.0.0.1")}/hello`, 307),
  "/to-metadata": () => redirect("http://169.254.169.254/latest/meta-data/"),
  "/to-file": () => redirect("file:///etc/passwd"),
  "/to-nonsense": () => redirect("http://"),
  "/with-password": (_, origin) => redirect(`${origin.replace("//", "//user:secret@")}/hello`),
  "/no-location": () => new Response("nowhere", { status: 302 }),
  "/host": (request) => new Response(request.headers.get("host")),
}

describe("redirects", () => {
  test("are followed, and the result names the last address", async () => {
    using site = startSite(pages)
    const { text, page } = await fetchPage({ url: `${site.origin}/moved` })
    expect(text).toBe(`hello mcp-exec/${version}`)
    expect(page).toMatchObject({ url: `${site.origin}/hello?x=1`, status: 200, contentType: "text/plain" })
    expect(site.requests).toEqual(["/moved", "/hello"])
  })

  test("end after five", async () => {
    using site = startSite(pages)
    const { text, isError } = await fetchPage({ url: `${site.origin}/loop` })
    expect(isError).toBe(true)
    expect(text).toBe(`${site.origin}/loop redirects more than 5 times`)
    expect(site.requests).toHaveLength(6)
  })

  test("are refused when they lead to an address that is not allowed", async () => {
    using site = startSite(pages)
    const flags = [`--allow-host=${new URL(site.origin).host}`]
    expect((await fetchPage({ url: `${site.origin}/hello` }, { flags })).isError).toBe(false)
    const local = await fetchPage({ url: `${site.origin}/to-address` }, { flags })
    expect(local.text).toContain("127.0.0.1 is not a public address (loopback)")
    const metadata = await fetchPage({ url: `${site.origin}/to-metadata` }, { flags })
    expect(metadata.text).toContain("169.254.169.254 is not a public address (link-local)")
    expect(site.requests).toEqual(["/hello", "/to-address", "/to-metadata"])
  })

  test("to anything but a plain http or https URL are refused", async () => {
    using site = startSite(pages)
    const follow = async (path: string) => (await fetchPage({ url: site.origin + path })).text
    expect(await follow("/to-file")).toBe("Refused to fetch file:///etc/passwd: only http and https are supported")
    expect(await follow("/to-nonsense")).toStartWith("Not a URL: http://")
    expect(await follow("/with-password")).toContain("must not hold a user name or password")
    expect(await follow("/no-location")).toContain("answered 302")
  })
})

describe("the connection", () => {
  test("goes to the address that was checked: a name is resolved once", async () => {
    using site = startSite(pages)
    let lookups = 0
    const resolve = async () => [{ address: lookups++ === 0 ? "127.0.0.1" : "203.0.113.1", family: 4 }]
    const { port } = new URL(site.origin)
    const { text } = await fetchPage({ url: `http://pinned.test:${port}/host` }, { resolve })
    expect(text).toBe(`pinned.test:${port}`)
    expect(lookups).toBe(1)
  })

  test("tries each address of a name", async () => {
    using site = startSite(pages)
    const { port } = new URL(site.origin)
    const resolve = async () => ["127.0.0.9", "127.0.0.1"].map((address) => ({ address, family: 4 }))
    expect((await fetchPage({ url: `http://two.test:${port}/host` }, { resolve })).isError).toBe(false)
  })

  test("that fails says why", async () => {
    const { text, isError } = await fetchPage({ url: "http://127.0.0.1:1/" })
    expect(isError).toBe(true)
    expect(text).toStartWith("http://127.0.0.1:1/ could not be fetched: ")
    expect(text).toContain("ECONNREFUSED")
  })

  test("is verified against the name in the URL, not the address", async () => {
    const fixtures = join(import.meta.dir, "../fixtures")
    const certificate = join(fixtures, "pinned.test.cert.pem")
    using server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      tls: { cert: Bun.file(certificate), key: Bun.file(join(fixtures, "pinned.test.key.pem")) },
      fetch: (request) => new Response(request.headers.get("host")),
    })
    const deno = join(import.meta.dir, "../../../node_modules/.bin/deno")
    const fetchIn = async (host: string, trusted: string, runtime = [process.execPath]) => {
      const url = `https://${host}:${server.port}/`
      const child = Bun.spawn([...runtime, join(fixtures, "fetch-once.ts"), url], {
        env: { ...process.env, NODE_EXTRA_CA_CERTS: trusted },
      })
      const result = JSON.parse(await new Response(child.stdout).text())
      return result.content[0].text as string
    }
    expect(await fetchIn("pinned.test", certificate)).toBe(`pinned.test:${server.port}`)
    expect(await fetchIn("other.test", certificate)).toContain("ERR_TLS_CERT_ALTNAME_INVALID")
    expect(await fetchIn("pinned.test", "")).toContain("could not be fetched")
    expect(await fetchIn("pinned.test", certificate, [deno, "run", "-A"])).toBe(`pinned.test:${server.port}`)
    expect(await fetchIn("other.test", certificate, [deno, "run", "-A"])).toContain("ERR_TLS_CERT_ALTNAME_INVALID")
  })
})

describe("a slow page", () => {
  const never = () => new Promise<Response>(() => {})
  const trickle = () =>
    new Response(new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode("start")) }))

  test("is given up after the timeout, before and during its body", async () => {
    using site = startSite({ "/never": never, "/trickle": trickle })
    for (const path of ["/never", "/trickle"]) {
      const { text, isError } = await fetchPage(
        { url: site.origin + path },
        { flags: ["--allow-private", "--timeout=0.2"] },
      )
      expect(isError).toBe(true)
      expect(text).toBe(
        'The page took longer than 0.2 s. To wait longer, give the fetch server "args": ["--timeout=SECONDS"].',
      )
    }
  })

  test("is given up when the name server does not answer", async () => {
    const resolve = () => new Promise<never>(() => {})
    const { text } = await fetchPage({ url: "http://silent.test/" }, { resolve, flags: ["--timeout=0.1"] })
    expect(text).toStartWith("The page took longer than 0.1 s")
  })

  test("is closed when the call is cancelled", async () => {
    const { promise: closed, resolve: onClosed } = Promise.withResolvers<string>()
    using site = startSite({
      "/never": (request) => {
        request.signal.addEventListener("abort", () => onClosed("closed"))
        return never()
      },
    })
    const controller = new AbortController()
    const call = fetchPage({ url: `${site.origin}/never` }, { signal: controller.signal })
    while (site.requests.length === 0) await Bun.sleep(5)
    controller.abort(new Error("enough"))
    await expect(call).rejects.toThrow("enough")
    expect(await closed).toBe("closed")
  })
})
