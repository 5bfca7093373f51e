// Fills every place that takes files, until it is told to stop.
import { openSync, writeSync } from "node:fs"
import { scratch } from "mcp-exec"
import { beLookedAt } from "./attempt.ts"

for (const folder of [scratch, "/tmp", process.cwd()]) {
  let bytes = 0
  try {
    const file = openSync(`${folder}/fill`, "w")
    const piece = new Uint8Array(1 << 20).fill(1)
    while (bytes < 1 << 30) bytes += writeSync(file, piece)
    console.log(`ESCAPED ${folder} took ${bytes} bytes`)
  } catch (error) {
    console.log(`blocked ${folder} after ${Math.round(bytes / (1 << 20))} MB: ${(error as { code?: string }).code}`)
  }
}
await beLookedAt()
console.log("done")
