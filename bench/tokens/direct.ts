// Run by mcp-exec: what a task costs a model that calls the tools itself. It makes the calls that the
// script makes, and reads every call and every result. Prints the number of tokens.
import { countTokens } from "gpt-tokenizer/encoding/o200k_base"
import { callTool } from "mcp-exec"

const [file = ""] = process.argv.slice(2)
let tokens = 0

const counted = async (server: string, tool: string, args: Record<string, unknown>) => {
  const raw = await callTool<{ content: { text?: string }[] }>(server, tool, args, { raw: true })
  tokens += countTokens(JSON.stringify({ tool, args }))
  for (const { text = "" } of raw.content) tokens += countTokens(text)
  return await callTool(server, tool, args)
}

const { main } = await import(file)
const { log } = console
console.log = () => {}
await main(counted)
log(tokens)
