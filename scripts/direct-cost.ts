// What the same job costs a model that calls the tools itself: it reads every tool's schema, then
// each call and each result. Run by scripts/demo.ts through mcp-exec.
import { countTokens } from "gpt-tokenizer/encoding/o200k_base"
import { callTool, listTools } from "mcp-exec"

const [folder = "invoices"] = process.argv.slice(2)
let tokens = countTokens(JSON.stringify(await listTools("filesystem")))

async function callDirectly(tool: string, args: Record<string, unknown>): Promise<string> {
  const result = await callTool<{ content: { text: string }[] }>("filesystem", tool, args, { raw: true })
  const text = result.content.map((item) => item.text).join("\n")
  tokens += countTokens(JSON.stringify({ tool, args })) + countTokens(text)
  return text
}

const listing = await callDirectly("list_directory", { path: folder })
for (const [, name] of listing.matchAll(/^\[FILE\] (.+\.json)$/gm)) {
  await callDirectly("read_text_file", { path: `${folder}/${name}` })
}
console.log(tokens)
