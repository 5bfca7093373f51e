import { callTool } from "mcp-exec"

export async function main(call = callTool) {
  const [base = ""] = process.argv.slice(2).slice(-1)
  for (const number of [1, 2, 3, 4, 5, 6, 7, 8]) {
    const page = await call<string>("web", "fetch", { url: `${base}/article-${number}` })
    const links = page.match(/\]\(http/g) ?? []
    console.log(`article-${number}: ${page.split(/\s+/).length} words, ${links.length} links`)
  }
}
