// HTML → Markdown: the main content where it can be told from the rest, otherwise the whole page.
// Runs on text that strangers wrote, inside a process that must not stand still, so it is bounded.
import { Readability } from "@mozilla/readability"
import { parseHTML } from "linkedom"
import TurndownService from "turndown"
import type { DomDocument, DomElement } from "./dom.ts"
import { FetchFailure } from "./failure.ts"
import { addListRule } from "./lists.ts"
import { addTableRules, markTables } from "./tables.ts"
import { withTimeLimit } from "./time-limit.ts"

export interface MarkdownPage {
  title?: string
  markdown: string
}

const attemptMs = 1500
/** Less text than this is not the main content of anything. */
const minArticleLength = 200
const removedTags = [
  ...["head", "title", "meta", "link", "script", "style", "noscript", "template", "svg", "canvas"],
  ...["iframe", "object", "embed", "button", "input", "select", "textarea"],
] as const

/** Converts a page. Links come out absolute, starting at `url`. */
export async function htmlToMarkdown(html: string, url: URL, signal: AbortSignal): Promise<MarkdownPage> {
  const page =
    (await attempt(() => convertArticle(html, url), signal)) ?? (await attempt(() => convertWhole(html, url), signal))
  if (page === undefined) {
    throw new FetchFailure("The page is too large or too tangled to become markdown: ask for it with raw: true")
  }
  return page
}

// Whatever else this process has to do comes first. A page may exhaust the time or, by its nesting,
// the stack, and the libraries stumble over some markup: then the next way is tried.
async function attempt(
  convert: () => MarkdownPage | undefined,
  signal: AbortSignal,
): Promise<MarkdownPage | undefined> {
  await new Promise((resolve) => setImmediate(resolve))
  signal.throwIfAborted()
  try {
    return withTimeLimit(attemptMs, convert)
  } catch {
    return undefined // the caller learns that no way has worked
  }
}

function convertArticle(html: string, url: URL): MarkdownPage | undefined {
  const document = parse(html, url)
  const title = pageTitle(document)
  const options = { keepClasses: true, serializer: (node: unknown) => node as DomElement }
  const article = new Readability<DomElement>(document as never, options).parse()
  if (!article?.content || (article.length ?? 0) < minArticleLength) return undefined
  return finish(article.title || title, article.content)
}

function convertWhole(html: string, url: URL): MarkdownPage {
  const document = parse(html, url)
  return finish(pageTitle(document), document.querySelector("body") ?? document.body)
}

function parse(html: string, url: URL): DomDocument {
  let { document } = parseHTML(html) as unknown as { document: DomDocument }
  // The parser adds no <html> and <body> where a page leaves them out.
  if (document.documentElement?.nodeName !== "HTML" || document.querySelector("body") === null) {
    document = (parseHTML(`<html><body>${html}</body></html>`) as unknown as { document: DomDocument }).document
  }
  makeLinksAbsolute(document, url)
  for (const block of document.querySelectorAll("pre")) wrapCode(block, document)
  return document
}

function makeLinksAbsolute(document: DomDocument, url: URL): void {
  const base = document.querySelector("base[href]")
  const start = parseBase(base?.getAttribute("href") ?? "", url)
  base?.remove()
  for (const [selector, name] of [
    ["a[href]", "href"],
    ["img[src]", "src"],
  ] as const) {
    for (const element of document.querySelectorAll(selector)) {
      const value = element.getAttribute(name) ?? ""
      const absolute = URL.canParse(value, start) ? new URL(value, start) : undefined
      if (absolute && /^(https?|mailto|tel):$/.test(absolute.protocol)) element.setAttribute(name, absolute.href)
      else element.removeAttribute(name)
    }
  }
}

function parseBase(href: string, url: URL): string {
  return URL.canParse(href, url.href) ? new URL(href, url).href : url.href
}

// Only code inside <pre> becomes a fenced block; many highlighters put spans there, and the language further out.
function wrapCode(block: DomElement, document: DomDocument): void {
  if (block.firstChild?.nodeName === "CODE") return
  const code = document.createElement("code")
  code.setAttribute("class", block.getAttribute("class") ?? "")
  code.textContent = block.textContent
  block.replaceChildren(code)
}

function pageTitle(document: DomDocument): string | undefined {
  return document.querySelector("head > title, body > title")?.textContent ?? undefined
}

function finish(rawTitle: string | undefined, content: DomElement): MarkdownPage {
  const title = rawTitle?.replace(/\s+/g, " ").trim()
  markTables(content)
  const body = createConverter()
    .turndown(content as never)
    .trim()
  if (!title) return { markdown: body }
  const heading = `# ${title}`
  return {
    title,
    markdown: body === heading || body.startsWith(`${heading}\n`) ? body : `${heading}\n\n${body}`.trim(),
  }
}

function createConverter(): TurndownService {
  const service = new TurndownService({
    headingStyle: "atx",
    codeBlockStyle: "fenced",
    bulletListMarker: "-",
    hr: "---",
  })
  service.remove(removedTags as never)
  addListRule(service)
  addTableRules(service)
  return service
}
