// Listing skills reads each of them, and runs none: a thousand must not be felt.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { race } from "../measure.ts"
import type { Figure, Workplace } from "../run.ts"

const count = 1000
const goalMs = 100

export async function skills({ directory, program }: Workplace): Promise<Figure[]> {
  mkdirSync(join(directory, "many/skills"), { recursive: true })
  mkdirSync(join(directory, "none/skills"), { recursive: true })
  for (let number = 0; number < count; number++) {
    writeFileSync(join(directory, `many/skills/report-${number}.ts`), skill(`report-${number}`))
  }
  const [none, many] = await race(
    [
      { name: "no skill", command: [program, "skills", "list", "--cwd", "none"] },
      { name: "a thousand", command: [program, "skills", "list", "--cwd", "many"] },
    ],
    30,
    directory,
  )
  const ms = (many?.medianMs ?? Number.NaN) - (none?.medianMs ?? Number.NaN)
  const value = `${ms.toFixed(0)} ms more than for none (${many?.medianMs.toFixed(0)} ms : ${none?.medianMs.toFixed(0)} ms)`
  return [{ name: "skills list, a thousand skills", value, goal: `≤ ${goalMs} ms`, met: ms <= goalMs }]
}

function skill(name: string): string {
  return `// Fetches pages and reports what they say.
import { arg, skill } from "mcp-exec"
import { fetch } from "../servers/fetch/index.ts"

export default skill(
  {
    name: "${name}",
    description: "Fetches a page, and reports its title, a summary and its links",
    whenToUse: "To learn what a page says without reading all of it",
    args: {
      url: arg.string({ required: true, description: "the page's address" }),
      limit: arg.integer({ default: 10, min: 1, max: 100, description: "how many links" }),
      format: arg.enum(["text", "json"], { default: "text" }),
    },
    servers: ["fetch"],
    returns: "title, summary and links",
    examples: ["mcp-exec exec ${name} --url https://example.com"],
  },
  async ({ url, limit }) => {
    const page = await fetch({ url })
    return String(page).split("\\n").filter((line) => /^\\s*[-*]/.test(line)).slice(0, limit)
  },
)
`
}
