import { arg, callTool, skill } from "mcp-exec"

interface Page {
  url: string
  title?: string
  content: string
}

export default skill(
  {
    name: "simple-fetch",
    description: "Fetches a web page and gives its title, the start of its text and its links.",
    whenToUse: "To learn what a page says without reading all of it.",
    args: {
      url: arg.string({ required: true, description: "http or https" }),
      length: arg.integer({ default: 600, min: 1, description: "Characters of summary" }),
      links: arg.integer({ default: 10, min: 0, description: "Most links" }),
      server: arg.string({ default: "fetch" }),
    },
    servers: ["fetch"],
    returns: "{ url, title, summary, links }",
    examples: ["mcp-exec exec simple-fetch https://example.com --links 5"],
  },
  async ({ url, length, links, server }) => {
    const page = await callTool<Page>(server, "fetch", { url, maxLength: 200_000 })
    return {
      url: page.url,
      title: page.title ?? null,
      summary: summaryOf(page.content, length),
      links: linksOf(page.content, page.url).slice(0, links),
    }
  },
)

/** The first paragraphs, without headings, lists, tables and code, cut behind a sentence if there is one. */
function summaryOf(markdown: string, length: number): string {
  const blocks = markdown.replace(/^(```|~~~)[\s\S]*?^\1/gm, "").split(/\n\s*\n/)
  const prose = blocks.filter((block) => !/^\s*([#>|*+-]|\d+\.\s|!\[|<)/.test(block)).map(asPlainText)
  const paragraphs = prose.filter((text) => text.length > 40)
  // A page of headings and lists alone is summed up by those.
  const text = (paragraphs.length > 0 ? paragraphs : blocks.map(asPlainText)).join("\n").trim()
  if (text.length <= length) return text
  const start = text.slice(0, length)
  const sentence = Math.max(...[". ", "! ", "? ", ".\n"].map((end) => start.lastIndexOf(end)))
  return sentence > length / 2 ? start.slice(0, sentence + 1) : `${start.trimEnd()}…`
}

function asPlainText(markdown: string): string {
  return markdown
    .replace(/!\[[^\]]*\]\([^)]*\)/g, "")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[*_`#]+/g, "")
    .replace(/\s+/g, " ")
    .trim()
}

/** Each place the page leads to, once; not the page itself, and no pictures. */
function linksOf(markdown: string, base: string): { text: string; url: string }[] {
  const found = new Map<string, string>()
  for (const [, text = "", target = ""] of markdown.matchAll(
    /(?<!!)\[((?:!?\[[^\]]*\]\([^)]*\)|[^\][])*)\]\(\s*<?([^\s)>]+)/g,
  )) {
    const url = URL.parse(target, base)
    if (url === null || !url.protocol.startsWith("http")) continue
    url.hash = ""
    if (url.href !== base && !found.has(url.href)) found.set(url.href, asPlainText(text))
  }
  return [...found].map(([url, text]) => ({ text, url }))
}
