// Servers and the daemon itself are killed at random, and the configuration changes, while clients go on.
import { expect, test } from "bun:test"
import { readdirSync } from "node:fs"
import { fixtureServer } from "../fixtures/config.ts"
import { builtProgram } from "../fixtures/program.ts"
import { type Finished, isRunning, waitForEnd } from "../fixtures/project.ts"
import { createDaemonProject, startedDaemons } from "./daemon-project.ts"

const clients = 20
const runsEach = 25
// Counted in runs and not in seconds, so that a busy machine has no more trouble than an idle one.
const runsBetweenTrouble = 12

test("whatever dies, every run ends with a right result or a clear error, and nothing runs twice", async () => {
  await using it = createDaemonProject({
    config: {},
    files: {
      "note.ts": `import { callTool } from "mcp-exec"
const [id, ms] = process.argv.slice(2)
console.log(await callTool("ledger", "note", { id, ms: Number(ms) }))`,
    },
  })
  const program = [builtProgram()]
  const run = (args: string[]) => it.run(args, { program })
  const ledger = fixtureServer("ledger", it.project.path("ledger"), it.project.path("processes"))
  const configure = (round: number) =>
    it.project.write({ "mcp_config.json": JSON.stringify({ mcpServers: { ledger }, _round: "x".repeat(round) }) })
  configure(0)
  await run(["daemon", "start"])

  const killed = { daemons: 0, servers: 0 }
  const kill = (kind: keyof typeof killed, pid: number | undefined) => {
    try {
      process.kill(pid ?? Number.NaN, "SIGKILL")
      killed[kind]++
    } catch {
      // It has died of something else.
    }
  }
  const makeTrouble = async (round: number) => {
    await Bun.sleep(Math.random() * 100)
    if (round % 3 === 0) configure(round)
    else if (round % 3 === 1) kill("daemons", startedDaemons(it.project).at(-1))
    else kill("servers", Number(it.lines("processes").at(-1)))
  }

  const outcomes = new Map<string, Finished>()
  const trouble: Promise<void>[] = []
  const client = async (number: number) => {
    for (let at = 0; at < runsEach; at++) {
      const id = `${number}.${at}`
      const ms = Math.floor(Math.random() * 100)
      outcomes.set(id, await run(at % 2 === 0 ? ["exec", "note.ts", id, `${ms}`] : callOf(id, ms)))
      if (outcomes.size % runsBetweenTrouble === 0) trouble.push(makeTrouble(outcomes.size / runsBetweenTrouble))
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)))
  await Promise.all(trouble)

  const noted = it.lines("ledger")
  expect(noted.filter((id, index) => noted.indexOf(id) !== index)).toEqual([])
  for (const [id, { code, stdout, stderr }] of outcomes) {
    if (code === 0)
      expect({ id, stdout, isNoted: noted.includes(id) }).toEqual({ id, stdout: `noted ${id}\n`, isNoted: true })
    else expect({ id, stdout, hasReason: /\bE_[A-Z]+/.test(stderr) }).toEqual({ id, stdout: "", hasReason: true })
  }
  const failed = [...outcomes.values()].filter(({ code }) => code !== 0).length
  expect(outcomes.size).toBe(clients * runsEach)
  expect(failed).toBeLessThan(outcomes.size / 2)
  expect(killed.daemons).toBeGreaterThan(5)
  expect(killed.servers).toBeGreaterThan(5)

  // What the killed have left is in nobody's way, and goes.
  expect(await run(callOf("last", 0))).toMatchObject({ code: 0, stdout: "noted last\n" })
  await run(["daemon", "stop"])
  const daemons = startedDaemons(it.project)
  for (const pid of [...daemons, ...it.lines("processes")]) await waitForEnd(Number(pid))
  expect(daemons.length).toBeGreaterThan(killed.daemons)
  expect(await run(["exec", "note.ts", "after", "0"])).toMatchObject({ code: 0, stdout: "noted after\n" })
  await run(["daemon", "stop"])
  const left = readdirSync(it.project.path(".cache/run")).filter((name) => !name.startsWith("d-"))
  expect(await Promise.all(left.map((name) => isRunning(Number.parseInt(name, 10))))).toEqual(left.map(() => false))
  expect(readdirSync(it.project.path(".cache/run")).filter((name) => name.startsWith("d-"))).toEqual([])
}, 300_000)

function callOf(id: string, ms: number): string[] {
  return ["call", "ledger.note", "--args", JSON.stringify({ id, ms })]
}
