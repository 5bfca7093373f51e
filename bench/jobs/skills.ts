// Listing skills looks at each of them, and runs none: a thousand must not be felt, whether they were listed before
// or not. A search for one of them neither.
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Figure, Workplace } from "../job.ts"
import { type Contestant, race } from "../measure.ts"

const count = 1000
const goalMs = 100

export async function skills({ directory, program, show }: Workplace): Promise<Figure[]> {
  mkdirSync(join(directory, "many/skills"), { recursive: true })
  mkdirSync(join(directory, "none/skills"), { recursive: true })
  for (let number = 0; number < count; number++) {
    writeFileSync(join(directory, `many/skills/report-${number}.ts`), skill(`report-${number}`))
  }
  const cache = join(directory, "cache")
  const contestant = (name: string, args: string[]): Contestant => {
    return { name, command: [program, ...args], env: { MCP_EXEC_CACHE_DIR: cache } }
  }
  const list = ["skills", "list", "--cwd", "many"]
  const rows = await race(
    [
      contestant("skills list, none", ["skills", "list", "--cwd", "none"]),
      contestant("skills list, a thousand", list),
      {
        ...contestant("skills list, a thousand, the first time", list),
        env: { MCP_EXEC_CACHE_DIR: `${cache}-new` },
        prepare: () => rmSync(`${cache}-new`, { recursive: true, force: true }),
      },
      contestant("search, a thousand skills", ["search", "report of a page", "--cwd", "many"]),
    ],
    30,
    directory,
  )
  show({ title: "A thousand skills", rows })
  return rows.slice(1).map(({ name, medianMs, cpuMs = Number.NaN }) => {
    const value = `${medianMs.toFixed(0)} ms, the whole command (${cpuMs.toFixed(0)} ms of CPU time)`
    return { name, value, goal: `< ${goalMs} ms`, met: medianMs < goalMs }
  })
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
