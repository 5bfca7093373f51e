// Many scripts at once over HTTP while the servers they use are killed: every call is answered once, memory comes
// back, nothing is left. 2,000 of them in CI, fewer elsewhere; MCP_EXEC_SOAK says how many.
import { expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { fixtureServer } from "../fixtures/config.ts"
import { eventually } from "../fixtures/eventually.ts"
import { builtProgram } from "../fixtures/program.ts"
import { createProject, isRunning, type Project, waitForEnd } from "../fixtures/project.ts"
import { type Connected, connectHttp, type Execution, startHttp } from "./served.ts"

const calls = Number(process.env.MCP_EXEC_SOAK ?? (process.env.CI === "true" ? 2000 : 200))
const workers = 16
// Counted in scripts and not in seconds, so that a busy machine has no more trouble than an idle one.
const scriptsBetweenKills = 12
// The first scripts load what the rest use, and fill what is kept for the next.
const warmUp = 480
const maxGrowth = 1.2

const isLinux = process.platform === "linux"

test.skipIf(!isLinux)(
  `${calls} scripts, ${workers} at once, while their servers are killed`,
  async () => {
    const config = { serve: { callsPerMinute: 1_000_000 } }
    using project = createProject({ servers: { echo: fixtureServer("echo") }, config })
    await using server = await startHttp(project, { program: [builtProgram()] })
    const eras = ["2025-11-25", "2026-07-28"] as const
    const clients = await Promise.all(
      [0, 1, 2, 3].map((at) => connectHttp(server.url, { era: eras[at % 2] ?? eras[0] })),
    )
    // The SDK complains of a second answer to the same request.
    const complaints: string[] = []
    for (const { client } of clients) client.onerror = ({ message }) => void complaints.push(message)
    let killed = 0
    const afterEach = (ended: number) => {
      if (ended % scriptsBetweenKills === 0 && killOne(server.pid)) killed += 1
    }

    await runAll(clients, warmUp, afterEach)
    const before = await settledMemory(server.pid)
    const { answers, codes } = await runAll(clients, calls, afterEach)
    const after = await settledMemory(server.pid)

    console.log(`${calls} scripts, ${killed} servers killed, ${JSON.stringify(codes)}, ${before} → ${after} MB`)
    expect(answers).toEqual(Array.from({ length: calls }, () => 1))
    expect(complaints.filter((message) => message.includes("unknown message"))).toEqual([])
    expect(Object.keys(codes).filter((code) => !expected.has(code))).toEqual([])
    expect(codes.ok ?? 0).toBeGreaterThan(calls * 0.5)
    expect(killed).toBeGreaterThan(2)
    expect(after / before).toBeLessThan(maxGrowth)

    const children = descendants(server.pid)
    for (const { client } of clients) await client.close()
    expect(await server.end()).toBe(143)
    await Promise.all(children.map((pid) => waitForEnd(pid)))
    await eventually(
      () => strays(project),
      (left) => left.length === 0,
    )
  },
  60_000 + calls * 150,
)

/** What a script may be told when its server dies under it. */
const expected = new Set(["ok", "E_SERVER_CLOSED", "E_SERVER_CONNECT"])

async function runAll(clients: Connected[], total: number, afterEach: (ended: number) => void) {
  const answers = Array.from({ length: total }, () => 0)
  const codes: Record<string, number> = {}
  let next = 0
  let ended = 0
  const work = async (client: Connected) => {
    for (let at = next++; at < total; at = next++) {
      const code = `import { callTool } from "mcp-exec"\nconst { i } = await callTool("echo.echo", { i: ${at} })\ni`
      const outcome = await client.run({ code }).then((result) => verdict(result, at))
      codes[outcome] = (codes[outcome] ?? 0) + 1
      answers[at] = (answers[at] ?? 0) + 1
      afterEach(++ended)
    }
  }
  const all = Array.from({ length: workers }, (_, at) => work(clients[at % clients.length] as Connected))
  await Promise.all(all)
  return { answers, codes }
}

function verdict({ ok, output, error }: Execution, at: number): string {
  if (!ok) return error?.code ?? "failed without a reason"
  return output === `${at}\n` ? "ok" : `the answer to another call: ${output}`
}

/** Kills one of the servers of a serving process; false when there is none. */
function killOne(pid: number): boolean {
  const servers = descendants(pid).filter((each) => commandOf(each).includes("servers/echo.ts"))
  const victim = servers[Math.floor(Math.random() * servers.length)]
  try {
    process.kill(victim ?? Number.NaN, "SIGKILL")
    return true
  } catch {
    return false // nobody, or one that has just ended
  }
}

/** In MB, when it has stopped falling. */
async function settledMemory(pid: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let second = 0; second < 3; second += 1) {
    await Bun.sleep(1000)
    const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? []
    least = Math.min(least, Math.round(Number(kilobytes) / 1024))
  }
  return least
}

function descendants(pid: number): number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync("/proc")) {
    const [, parent] = /\) \w (\d+) /.exec(statOf(name)) ?? []
    if (parent !== undefined) parents.set(Number(name), Number(parent))
  }
  const found = [pid]
  for (const each of found) for (const [child, parent] of parents) if (parent === each) found.push(child)
  return found.slice(1)
}

/** Processes that still work in the project's folder. */
async function strays(project: Project): Promise<string[]> {
  const own = readdirSync("/proc").filter(
    (name) => /^\d+$/.test(name) && environmentOf(name).includes(project.directory),
  )
  const running = await Promise.all(own.map((name) => isRunning(Number(name))))
  return own.filter((_, at) => running[at]).map((name) => commandOf(Number(name)))
}

function statOf(pid: string): string {
  return /^\d+$/.test(pid) ? read(`/proc/${pid}/stat`) : ""
}

function commandOf(pid: number): string {
  return read(`/proc/${pid}/cmdline`).replaceAll("\0", " ")
}

function environmentOf(pid: string): string {
  return read(`/proc/${pid}/environ`)
}

/** Processes come and go while they are looked at. */
function read(file: string): string {
  try {
    return readFileSync(file, "utf8")
  } catch {
    return ""
  }
}
