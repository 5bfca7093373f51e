// Scripts that use up what there is, or try to stay. What they have cost is measured from the outside.
import { expect, test } from "bun:test"
import { statfsSync } from "node:fs"
import { type AbuseProject, describeInContainers, expectBlocked, slow } from "./abuse-project.ts"
import { watchProcesses } from "./observe.ts"

// Of the configuration's defaults.
const memoryBytes = 512 << 20
const pids = 128
const scratchBytes = 64 << 20

describeInContainers((it: AbuseProject) => {
  const { processes, run, runWatched } = it

  const watched = async (args: string[]) => {
    const watch = watchProcesses(processes)
    const startedAt = performance.now()
    const finished = await run(args)
    return { finished, seconds: (performance.now() - startedAt) / 1000, peaks: watch.stop() }
  }

  test(
    "what a script has started ends with it",
    async () => {
      const { finished, peaks } = await watched(["survivors.ts"])
      expect(finished).toMatchObject({ code: 0, stdout: "done\n", stderr: "" })
      // There was something to end: afterwards nothing may be left.
      expect(peaks.processes).toBeGreaterThanOrEqual(6)
    },
    slow,
  )

  test(
    "a fork bomb ends with the container",
    async () => {
      const { finished, peaks } = await watched(["--timeout", "4", "fork-bomb.ts"])
      expect([124, 137]).toContain(finished.code)
      expect(peaks.processes).toBeGreaterThan(3)
      // Besides those in the container: mcp-exec, and the engine's own.
      expect(peaks.processes).toBeLessThanOrEqual(pids + 5)
    },
    slow,
  )

  test(
    "a memory bomb ends itself and nothing else",
    async () => {
      const text = "const all = []; while (true) { all.push(new Uint8Array(1 << 24).fill(1)); await Bun.sleep(50) }"
      const { finished, peaks } = await watched(["-e", text])
      expect(finished.code).toBe(137)
      expect(finished.stderr).toContain("error[E_SCRIPT_MEMORY]")
      expect(peaks.residentBytes).toBeGreaterThan(memoryBytes / 4)
      // The program's own pages are counted for the script and for mcp-exec, but not by the limit.
      expect(peaks.residentBytes).toBeLessThan(memoryBytes + (400 << 20))
    },
    slow,
  )

  test(
    "memory, also that of files, is limited",
    async () => {
      const finished = await runWatched(["fill.ts"], (pid) => {
        for (const folder of ["/workspace", "/tmp", it.project.directory]) {
          const { bsize, blocks, bfree } = statfsSync(`/proc/${pid}/root${folder}`)
          expect(bsize * blocks).toBe(scratchBytes)
          expect(bsize * (blocks - bfree)).toBeGreaterThan(scratchBytes - (2 << 20))
        }
      })
      expectBlocked(it, finished, 3)
    },
    slow,
  )

  test(
    "a processor is not used for longer than allowed",
    async () => {
      const text =
        "for (let count = 0; count < 3; count++) new Worker('data:text/javascript,while(true){}'); while (true) {}"
      const { finished, seconds, peaks } = await watched(["--timeout", "3", "-e", text])
      expect(finished.code).toBe(124)
      expect(seconds).toBeLessThan(45)
      // Four threads that never rest, and one processor for all of them.
      expect(peaks.cpu).toBeGreaterThan(0.5)
      expect(peaks.cpu).toBeLessThan(3 * 1.3 + 1)
    },
    slow,
  )

  test(
    "a flood of output is cut, and fills nothing",
    async () => {
      const text = 'const piece = "x".repeat(1 << 20); for (let count = 0; count < 1024; count++) console.log(piece)'
      const { stdout, stderr, peakBytes } = await run(["-e", text])
      expect(stdout.length).toBe(1 << 20)
      expect(stderr).toContain("The script's output was cut after 1 MB")
      expect(peakBytes).toBeLessThan(512 << 20)
    },
    slow,
  )

  test(
    "a flood of calls is answered or refused, and does not bring mcp-exec down",
    async () => {
      const { code, stdout, peakBytes } = await run(["many-calls.ts"])
      expect({ code, end: stdout.slice(-5) }).toEqual({ code: 0, end: "done\n" })
      expect(peakBytes).toBeGreaterThan(0)
      expect(peakBytes).toBeLessThan(1 << 30)
    },
    slow,
  )

  test(
    "a million calls at once end with the script, and cost mcp-exec little",
    async () => {
      const { code, stdout, peakBytes } = await run(["--timeout", "8", "million-calls.ts"])
      expect(stdout).toStartWith("begins\n")
      // Sent, out of time, or out of memory: its own, in all cases.
      expect([0, 124, 137]).toContain(code)
      expect(peakBytes).toBeLessThan(1 << 30)
    },
    slow,
  )
})
