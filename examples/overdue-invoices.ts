// Reads every invoice through the filesystem server, works on them here, prints five lines.
// mcp-exec exec examples/overdue-invoices.ts [folder] [today]
import { callTool } from "mcp-exec"

interface Invoice {
  customer: string
  due: string
  paid: boolean
  total: number
}

const [folder = "invoices", today = "2026-06-30"] = process.argv.slice(2)
const listing = await callTool<{ content: string }>("filesystem", "list_directory", { path: folder })
const files = [...listing.content.matchAll(/^\[FILE\] (.+\.json)$/gm)].map(([, name]) => name)
const invoices = await Promise.all(files.map(readInvoice))

const overdue = invoices.filter(({ paid, due }) => !paid && due < today)
const owed = new Map<string, number>()
for (const { customer, total } of overdue) owed.set(customer, (owed.get(customer) ?? 0) + total)
const [worst] = [...owed].sort(([, a], [, b]) => b - a)
const oldest = overdue.map(({ due }) => due).sort()[0]

console.log(`invoices read      ${invoices.length}`)
console.log(`overdue            ${overdue.length}`)
console.log(`owed in all        ${euros(overdue.reduce((sum, { total }) => sum + total, 0))}`)
console.log(`owes most          ${worst?.[0]}, ${euros(worst?.[1] ?? 0)}`)
console.log(`due the longest    since ${oldest}`)

async function readInvoice(name: string | undefined): Promise<Invoice> {
  const { content } = await callTool<{ content: string }>("filesystem", "read_text_file", { path: `${folder}/${name}` })
  return JSON.parse(content)
}

function euros(amount: number): string {
  return `${amount.toFixed(2)} EUR`
}
