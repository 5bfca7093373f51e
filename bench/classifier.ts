// npm run bench:classifier -- DIR: how well the words of a tool tell that it only reads. Judged against
// tools whose servers say so themselves; what they say is hidden from the classifier.
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Tool } from "../src/catalog.ts"
import { classifyTool } from "../src/discovery/classify.ts"

const [directory] = process.argv.slice(2)
if (directory === undefined) {
  console.error("usage: npm run bench:classifier -- DIR (with captured tools/list answers)")
  process.exit(2)
}

const files = readdirSync(directory).filter((name) => name.endsWith(".json"))
const tools = files.flatMap((name): Tool[] => JSON.parse(readFileSync(join(directory, name), "utf8")).tools ?? [])
const judged = tools.filter(({ annotations }) => annotations?.readOnlyHint !== undefined)
const rows = judged.map(({ name, description, annotations }) => ({
  name,
  isSafe: annotations?.readOnlyHint === true && annotations.destructiveHint !== true,
  ...classifyTool({ name, description: description ?? "" }),
}))
const taken = rows.filter(({ safety }) => safety === "safe")
const right = taken.filter(({ isSafe }) => isSafe)
const readers = rows.filter(({ isSafe }) => isSafe)
const precision = right.length / taken.length
const recall = right.length / readers.length
const wrong = taken.filter(({ isSafe }) => !isSafe)
console.log(`${judged.length} of ${tools.length} tools say whether they only read; ${readers.length} do`)
console.log(`  ${mark(precision >= 0.97)}  precision of "safe"  ${precision.toFixed(3)}   goal ≥ 0.97`)
console.log(`  ${mark(recall >= 0.7)}  recall               ${recall.toFixed(3)}   goal ≥ 0.70`)
for (const { name, reason } of wrong) console.log(`  taken for safe: ${name}, as ${reason}`)
const called = rows.filter(({ safety, isSafe }) => safety === "dangerous" && isSafe).length
console.log(`  readers taken for dangerous: ${called}, left undecided: ${readers.length - right.length - called}`)
process.exit(precision >= 0.97 && recall >= 0.7 ? 0 : 1)

function mark(met: boolean): string {
  return met ? "met   " : "MISSED"
}
