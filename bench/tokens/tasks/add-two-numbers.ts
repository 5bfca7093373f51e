import { callTool } from "mcp-exec"

export async function main(call = callTool) {
  console.log(await call("calculator", "add", { a: 19, b: 23 }))
}
