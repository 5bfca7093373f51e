import { describe, expect, test } from "bun:test"
import { htmlToMarkdown } from "../../../src/builtin/fetch/markdown.ts"
import { fetchPage, html, startSite } from "./site.ts"

const sentence = "<p>A sentence, with commas, words, and a length that tells an article from a menu.</p>"

test("a page becomes its main content, title first, with absolute links", async () => {
  using site = startSite({
    "/docs/page": () =>
      html(`<nav><a href="/">Home</a><a href="/all">All pages</a></nav>
        <article><h1>About <em>links</em></h1>${sentence.repeat(4)}
        <p>See <a href="other#part">the other</a> and <a href="javascript:x()">this</a>.</p></article>
        <footer>Copyright</footer><script>alert("x")</script>`),
  })
  const { text, page } = await fetchPage({ url: `${site.origin}/docs/page` })
  expect(page).toMatchObject({ title: "Test page", contentType: "text/html" })
  expect(text).toStartWith("# Test page\n\n")
  expect(text).toContain(`See [the other](${site.origin}/docs/other#part) and this.`)
  for (const noise of ["Home", "Copyright", "alert"]) expect(text).not.toContain(noise)
})

describe("without a main content the whole page is converted:", () => {
  const cases: { name: string; given: string; want: string }[] = [
    { name: "a fragment", given: "<p>hello <b>world</b>", want: "hello **world**" },
    { name: "nothing", given: "", want: "" },
    { name: "a title without a head", given: "<title>T</title><p>text", want: "# T\n\ntext" },
    { name: "a heading that repeats the title", given: "<title>T</title><h1>T</h1><p>text", want: "# T\n\ntext" },
    { name: "a base for links", given: '<base href="/b/"><a href="c">x</a>', want: "[x](https://example.com/b/c)" },
    { name: "an embedded image", given: '<p>a<img src="data:image/png;base64,AAAA" alt="x">b', want: "ab" },
    { name: "entities", given: "<p>1 &lt; 2 &amp; &#x1F600;", want: "1 < 2 & 😀" },
    { name: "code", given: '<pre class="language-js"><span>let</span> a\nb</pre>', want: "```js\nlet a\nb\n```" },
    {
      name: "lists",
      given: '<ol start="9"><li>a</li><li>b<ul><li>c</li></ul></li></ol>',
      want: "9. a\n10. b\n    - c",
    },
    {
      name: "a table of data",
      given: "<table><tr><th>n</th><th>a|b</th></tr><tr><td>1</td><td><p>x</p><p>y</p></td></tr></table>",
      want: "| n | a\\|b |\n| --- | --- |\n| 1 | x y |",
    },
    {
      name: "a table with a heading across",
      given: "<table><thead><tr><th>n</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>",
      want: "| n |  |\n| --- | --- |\n| 1 | 2 |",
    },
    { name: "a table for layout", given: "<table><tr><td>left</td><td>right</td></tr></table>", want: "left\n\nright" },
  ]
  for (const { name, given, want } of cases) {
    test(name, async () => expect((await convert(given)).markdown).toBe(want))
  }
})

test("links that cannot be followed are left as text", async () => {
  const { markdown } = await convert(
    '<p><a href="javascript:alert(1)">a</a> <a href="http://[">b</a> <a href="data:x">c</a>',
  )
  expect(markdown).toBe("a b c")
})

describe("a page made to waste time", () => {
  const cases: Record<string, string> = {
    "deep nesting": "<div>".repeat(100_000),
    "lists in lists": "<ul><li>x".repeat(150).concat("</ul>".repeat(150)).repeat(60),
  }
  for (const [name, given] of Object.entries(cases)) {
    test(`by ${name} does not stop this process for long`, async () => {
      let longest = 0
      let last = performance.now()
      const timer = setInterval(() => {
        longest = Math.max(longest, performance.now() - last)
        last = performance.now()
      }, 20)
      const outcome = await convert(`<html><body>${given}`).catch((error: Error) => error)
      await Bun.sleep(30)
      clearInterval(timer)
      if (outcome instanceof Error) expect(outcome.message).toContain("raw: true")
      expect(longest).toBeLessThan(8000)
    }, 120_000)
  }
})

function convert(source: string) {
  return htmlToMarkdown(source, new URL("https://example.com/a/page"), new AbortController().signal)
}
