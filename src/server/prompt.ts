// The one prompt: how to work with this server.
import { filesFor, freshInstructions } from "../operations/init/instructions.ts"
import { serverName } from "./surface.ts"

export const prompt = {
  name: serverName,
  description: "How to find, read and run the tools of all MCP servers with a few calls",
}

const loop = `Work in a loop: search_tools finds tools and skills, detail "full" shows how one is called, execute_script runs code that uses them. When tools are missing call generate_wrappers; when a result is unknown, discover_schemas. Where the text below says \`mcp-exec ls\`, \`search\` or \`cat\`, call search_tools; where it says \`mcp-exec exec\` or \`call\`, call execute_script.`

/** Throws for another name. */
export async function getPrompt(name: string) {
  if (name !== prompt.name) {
    const { ProtocolError, ProtocolErrorCode } = await import("@modelcontextprotocol/server")
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt ${name}; there is ${prompt.name}`)
  }
  const [file] = filesFor(["agents"])
  const written = file === undefined ? "" : freshInstructions(file).replace(/<!--.*?-->\n?/g, "")
  const text = `${loop}\n\n${written}`
  return {
    description: prompt.description,
    messages: [{ role: "user" as const, content: { type: "text" as const, text } }],
  }
}
