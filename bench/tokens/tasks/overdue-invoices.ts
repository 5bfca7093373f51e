import { callTool } from "mcp-exec"

interface Invoice {
  customer: string
  due: string
  paid: boolean
  total: number
}

export async function main(call = callTool) {
  const { content } = await call<{ content: string }>("files", "list_directory", { path: "invoices" })
  const names = [...content.matchAll(/^\[FILE\] (.+\.json)$/gm)].map(([, name]) => `invoices/${name}`)
  const owed: Record<string, number> = {}
  for (const path of names) {
    const file = await call<{ content: string }>("files", "read_text_file", { path })
    const { customer, due, paid, total }: Invoice = JSON.parse(file.content)
    if (!paid && due < "2026-06-30") owed[customer] = (owed[customer] ?? 0) + total
  }
  for (const [customer, total] of Object.entries(owed).sort(([, a], [, b]) => b - a)) {
    console.log(`${customer} ${total.toFixed(2)}`)
  }
}
