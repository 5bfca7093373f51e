// What an agent reads again and again, on as many servers as anybody has: `ls`, `cat` and `search`.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { count, fullSize, makeServers, supplyTools, writeProject } from "../catalog.ts"
import type { Figure, Workplace } from "../job.ts"
import { race } from "../measure.ts"

const goalMs = 40
const rounds = 25

export async function readBack({ directory, program, bun, show }: Workplace): Promise<Figure[]> {
  const supply = supplyTools(process.env.CAPTURES)
  const servers = makeServers(supply, fullSize.tools)
  await writeProject(directory, servers)
  writeFileSync(join(directory, "hello.ts"), 'console.log("hello")\n')
  // A receipt is only left for a file that has not just changed.
  await Bun.sleep(500)
  const [first] = servers
  const tool = `${first?.name}.${first?.tools[0]?.name}`
  const rows = await race(
    [
      { name: "`bun hello.ts`", command: [bun, "hello.ts"] },
      { name: "`ls`", command: [program, "ls"], prints: "server182" },
      { name: "`ls SERVER`", command: [program, "ls", first?.name ?? ""], prints: first?.tools[0]?.name ?? "" },
      { name: "`cat SERVER.TOOL`", command: [program, "cat", tool], prints: "Params" },
      { name: "`search`", command: [program, "search", "list open issues of a repository"], prints: "issue" },
    ],
    rounds,
    directory,
  )
  const size = `${servers.length} servers, ${count(fullSize.tools)} tools`
  show({ title: `Reading back: ${size} (${supply.origin})`, rows })
  return rows.slice(1).map(({ name, medianMs }) => ({
    name: `${name}, ${size}`,
    value: `${medianMs.toFixed(1)} ms (\`bun hello.ts\` takes ${rows[0]?.medianMs.toFixed(1)} ms)`,
    goal: `≤ ${goalMs} ms`,
    met: medianMs <= goalMs,
  }))
}
