import { callTool } from "mcp-exec"

export async function main(call = callTool, site = process.env.SITE) {
  for (const number of [1, 2, 3, 4, 5, 6, 7, 8]) {
    const { content: page } = await call<{ content: string }>("web", "fetch", { url: `${site}/article-${number}` })
    const links = page.match(/\]\(http/g) ?? []
    console.log(`article-${number}: ${page.split(/\s+/).length} words, ${links.length} links`)
  }
}
