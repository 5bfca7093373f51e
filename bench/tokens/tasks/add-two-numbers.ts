import { callTool } from "mcp-exec"

export async function main(call = callTool) {
  console.log(await call("everything", "get-sum", { a: 19, b: 23 }))
}
