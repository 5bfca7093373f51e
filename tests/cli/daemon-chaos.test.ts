// Servers and the daemon itself are killed at random, and the configuration changes, while clients go on.
import { expect, test } from "bun:test"
import { fixtureServer } from "../fixtures/config.ts"
import { waitForEnd } from "../fixtures/project.ts"
import { createDaemonProject } from "./daemon-project.ts"

const clients = 10
const runsEach = 10

test("whatever dies, every run ends with a right result or a clear error, and nothing runs twice", async () => {
  await using it = createDaemonProject({
    config: {},
    files: {
      "note.ts": `import { callTool } from "mcp-exec"
const [id, ms] = process.argv.slice(2)
console.log(await callTool("ledger", "note", { id, ms: Number(ms) }))`,
    },
  })
  const ledger = fixtureServer("ledger", it.project.path("ledger"), it.project.path("processes"))
  const configure = (round: number) =>
    it.project.write({ "mcp_config.json": JSON.stringify({ mcpServers: { ledger }, _round: "x".repeat(round) }) })
  configure(0)
  await it.startDaemon()

  let isOver = false
  let killed = 0
  const havoc = async () => {
    for (let round = 1; !isOver; round++) {
      await Bun.sleep(100 + Math.random() * 400)
      const { daemon } = await it.status()
      if (round % 3 === 0) configure(round)
      else if (round % 3 === 1 && daemon !== undefined) kill(daemon.pid)
      else kill(Number(it.lines("processes").at(-1)))
    }
  }
  const kill = (pid: number) => {
    try {
      process.kill(pid, "SIGKILL")
      killed++
    } catch {
      // It has died of something else.
    }
  }

  const outcomes = new Map<string, { code: number; stdout: string; stderr: string }>()
  const client = async (number: number) => {
    for (let run = 0; run < runsEach; run++) {
      const id = `${number}.${run}`
      const ms = Math.floor(Math.random() * 100)
      outcomes.set(id, await it.run(run % 2 === 0 ? ["exec", "note.ts", id, `${ms}`] : callOf(id, ms)))
    }
  }
  const disorder = havoc()
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)))
  isOver = true
  await disorder

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
  expect(killed).toBeGreaterThan(5)

  const last = await it.run(callOf("last", 0))
  expect(last).toMatchObject({ code: 0, stdout: "noted last\n" })
  await it.run(["daemon", "stop"])
  for (const pid of it.lines("processes")) await waitForEnd(Number(pid), 10_000)
}, 180_000)

function callOf(id: string, ms: number): string[] {
  return ["call", "ledger.note", "--args", JSON.stringify({ id, ms })]
}
