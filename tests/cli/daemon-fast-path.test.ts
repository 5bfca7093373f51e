// Through a daemon a command is words, a socket and a value: nothing heavy may be loaded on the way.
import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fixtureServer } from "../fixtures/config.ts"
import { repository } from "../fixtures/project.ts"
import { canWatch, strace } from "../fixtures/strace.ts"
import { callScript, createDaemonProject } from "./daemon-project.ts"

test.skipIf(!canWatch)("a command that a daemon answers loads no package", async () => {
  await using it = createDaemonProject({
    servers: { echo: fixtureServer("echo") },
    files: { "pid.ts": callScript("echo", "pid") },
  })
  const trace = it.project.path("trace.txt")
  const packagesReadBy = async (args: string[], env: Record<string, string> = {}) => {
    const watched = [strace, "-f", "-qq", "-e", "trace=open,openat", "-o", trace]
    const program = [...watched, process.execPath, join(repository, "src/main.ts")]
    const { code, stderr } = await it.run(args, { program, env })
    if (code !== 0) throw new Error(stderr)
    const paths = readFileSync(trace, "utf8").match(/node_modules\/(@[\w.-]+\/)?[\w.-]+/g) ?? []
    return [...new Set(paths)].map((path) => path.slice("node_modules/".length)).filter((name) => name !== "bun")
  }
  await it.startDaemon()
  // The first time the file is validated.
  await it.run(["exec", "pid.ts"])
  expect(await packagesReadBy(["exec", "pid.ts"])).toEqual([])
  expect(await packagesReadBy(["call", "echo.pid"])).toEqual([])
  // The watch does see what is loaded.
  const cold = await packagesReadBy(["call", "echo.pid"], { MCP_EXEC_DAEMON: "0" })
  for (const name of ["zod", "commander", "jsonc-parser"]) expect(cold).toContain(name)
})
