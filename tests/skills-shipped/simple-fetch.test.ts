import { afterAll, describe, expect, test } from "bun:test"
import { html, startSite } from "../builtin/fetch/site.ts"
import { shippedSkill } from "./shipped.ts"

const sentence = "The quick brown fox jumps over the lazy dog while nobody looks. "
const site = startSite({
  "/article": () =>
    html(`<main><h1>Foxes</h1><p>${sentence.repeat(4)}See <a href="/other#part">the other page</a>, <a href="/other">again</a>,
      <a href="https://example.com/x?a=1">elsewhere</a>, <a href="#top">up</a> and <a href="mailto:a@b.c">mail</a>.</p>
      <p>${sentence.repeat(30)}</p><img src="/fox.png" alt="fox"></main>`),
  "/data": () => Response.json({ answer: 42 }),
})
const skill = shippedSkill("simple-fetch", {
  servers: { fetch: { type: "builtin", name: "fetch", args: ["--allow-private"] } },
})
afterAll(() => {
  skill[Symbol.dispose]()
  site[Symbol.dispose]()
})

interface Page {
  url: string
  title: string | null
  summary: string
  links: { text: string; url: string }[]
}

describe("simple-fetch", () => {
  test("gives title, summary and links of a page", async () => {
    const page = await skill.value<Page>(`${site.origin}/article`)
    expect(page.url).toBe(`${site.origin}/article`)
    expect(page.title).toBe("Test page")
    expect(page.summary).toStartWith("The quick brown fox jumps over the lazy dog while nobody looks. The")
    expect(page.summary).toEndWith("looks.")
    expect(page.summary.length).toBeLessThanOrEqual(600)
    expect(page.links).toEqual([
      { text: "the other page", url: `${site.origin}/other` },
      { text: "elsewhere", url: "https://example.com/x?a=1" },
    ])
  })

  test("takes no more than it is asked for", async () => {
    const page = await skill.value<Page>("--url", `${site.origin}/article`, "--links=1", "--length=100")
    expect(page.links).toHaveLength(1)
    expect(page.summary).toBe(sentence.trim())
  })

  test("shows the start of what is not a page", async () => {
    const page = await skill.value<Page>(`${site.origin}/data`)
    expect(page).toMatchObject({ title: null, links: [] })
    expect(page.summary).toContain("42")
  })

  test("fails with the tool's words when the page is not there", async () => {
    const { code, stderr } = await skill.run(`${site.origin}/missing`)
    expect(code).toBe(1)
    expect(stderr).toContain("404")
  })

  test("without a URL shows its usage", async () => {
    const { code, stderr } = await skill.run()
    expect(code).toBe(2)
    expect(stderr).toContain("hint: Usage: mcp-exec exec simple-fetch --url <string>")
  })
})
