// The main job end to end, on the servers that mcp-exec carries: `./scripts/start` runs this.
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { countTokens } from "gpt-tokenizer/encoding/o200k_base"

const root = join(import.meta.dir, "..")
const program = join(root, "dist/mcp-exec")
const script = "examples/overdue-invoices.ts"
const count = 300

await writeInvoices(join(root, "workspace/invoices"))
console.log(`$ mcp-exec exec ${script}`)
const summary = await run(["exec", script])
console.log(summary)

const direct = Number(await run(["exec", "scripts/direct-cost.ts"]))
const code = await Bun.file(join(root, script)).text()
const ours = countTokens(code) + countTokens(summary)
console.log("tokens a model handles (o200k)")
console.log(`  calling the tools itself                     ${number(direct)}`)
console.log(`  writing this script, reading its five lines  ${number(ours)}`)
console.log(`  saved                                        ${((1 - ours / direct) * 100).toFixed(1).padStart(10)} %`)

async function run(args: string[]): Promise<string> {
  const child = Bun.spawn([program, ...args], { cwd: root, stdout: "pipe", stderr: "inherit" })
  const [text, code] = await Promise.all([new Response(child.stdout).text(), child.exited])
  if (code !== 0) process.exit(code)
  return text
}

/** The same invoices every time: a small generator instead of chance. */
async function writeInvoices(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  let seed = 7
  const random = (below: number) => {
    seed = (seed * 48271) % 2147483647
    return seed % below
  }
  const customers = ["Acme", "Globex", "Initech", "Umbrella", "Hooli", "Stark", "Wayne", "Wonka"]
  for (let index = 1; index <= count; index++) {
    const items = Array.from({ length: 3 + random(6) }, () => ({
      article: `A-${1000 + random(9000)}`,
      quantity: 1 + random(20),
      price: (100 + random(20_000)) / 100,
    }))
    const invoice = {
      number: `2026-${String(index).padStart(4, "0")}`,
      customer: customers[random(customers.length)],
      due: `2026-${String(1 + random(12)).padStart(2, "0")}-${String(1 + random(28)).padStart(2, "0")}`,
      paid: random(3) > 0,
      total: Math.round(items.reduce((sum, { quantity, price }) => sum + quantity * price * 100, 0)) / 100,
      items,
    }
    await writeFile(join(folder, `${invoice.number}.json`), `${JSON.stringify(invoice, null, 2)}\n`)
  }
}

function number(value: number): string {
  return value.toLocaleString("en-US").padStart(10)
}
