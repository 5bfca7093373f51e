// Scripts that try to get out, or to get at something. Each is run as a user would run it; what it has
// achieved is judged from the outside. The scripts are in abuse/.
import { expect, test } from "bun:test"
import { createSocket } from "node:dgram"
import { existsSync, lstatSync, readdirSync, readFileSync, statSync } from "node:fs"
import { createServer } from "node:net"
import { eventually } from "../fixtures/eventually.ts"
import { canWatch } from "../fixtures/strace.ts"
import { type AbuseProject, describeInContainers, expectBlocked, slow } from "./abuse-project.ts"
import { namespacesOf, procFile, snapshot, statusOf } from "./observe.ts"
import { builtProgram } from "./program.ts"
import { traceCalls } from "./trace.ts"

describeInContainers((it: AbuseProject) => {
  const { project, outside, run, runWatched } = it

  test(
    "files of the host cannot be read or written",
    async () => {
      const hostFiles = ["/etc/passwd", "/proc/sys/kernel/core_pattern"]
      const state = () => ({
        outside: snapshot(outside.directory),
        project: snapshot(project.directory),
        program: statSync(builtProgram()).mtimeMs,
        files: hostFiles.map((path) => readFileSync(path, "utf8")),
      })
      const before = state()
      const finished = await run(["host-files.ts", outside.path("secret.txt"), project.directory])
      expectBlocked(it, finished, 25)
      expect(state()).toEqual(before)
      const shadow = existsSync("/etc/shadow") ? readFileSync("/etc/shadow", "utf8").split("\n").filter(Boolean) : []
      for (const line of shadow) expect(finished.stdout).not.toContain(line)
    },
    slow,
  )

  test(
    "it has namespaces of its own, no rights, and none to gain",
    async () => {
      const host = namespacesOf("self")
      const finished = await runWatched(["look.ts"], (pid) => {
        expect(namespacesOf(pid).filter((each) => host.includes(each))).toEqual([])
        expect(statusOf(pid)).toMatchObject({
          Uid: Array(4).fill("65534").join("\t"),
          Gid: Array(4).fill("65534").join("\t"),
          CapEff: "0000000000000000",
          CapPrm: "0000000000000000",
          CapInh: "0000000000000000",
          CapBnd: "0000000000000000",
          CapAmb: "0000000000000000",
          NoNewPrivs: "1",
          Seccomp: "2",
        })
        const mounts = procFile(pid, "mountinfo")
          .split("\n")
          .filter(Boolean)
          .map((line) => line.split(" "))
        const root = mounts.find(([, , , , target]) => target === "/")
        expect(root?.[5]?.split(",")).toContain("ro")
        const writable = mounts.filter(([, , , , , options]) => options?.split(",").includes("rw"))
        // Neither device nor folder of the host: memory, and what the kernel makes.
        const kinds = new Set(writable.map((words) => words[words.indexOf("-") + 1]))
        expect(
          [...kinds].filter((kind) => !["tmpfs", "devpts", "mqueue", "proc", "sysfs"].includes(kind ?? "")),
        ).toEqual([])
        expect(procFile(pid, "mountinfo")).not.toMatch(/docker\.sock|podman\.sock/)
      })
      expect(finished).toMatchObject({ code: 0, stderr: "" })
    },
    slow,
  )

  test(
    "nothing can be reached over a network",
    async () => {
      let reached = 0
      const count = () => void reached++
      const server = createServer(count).listen(0, "0.0.0.0")
      await new Promise((resolve) => server.once("listening", resolve))
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      const datagrams = createSocket("udp4").on("message", count)
      datagrams.bind(port)
      const name = `mcp-exec-abuse-${port}`
      const abstract = Bun.listen({ unix: `\0${name}`, socket: { data() {}, open: count } })
      try {
        const finished = await runWatched(["network.ts", String(port), name], (pid) => {
          // There is nothing that a packet could leave by, wherever it was to go.
          const interfaces = procFile(pid, "net/dev").split("\n").slice(2).filter(Boolean)
          expect(interfaces.map((line) => line.trim().split(":")[0])).toEqual(["lo"])
          expect(
            interfaces[0]
              ?.trim()
              .split(/\s+/)
              .slice(1)
              .every((field) => field === "0"),
          ).toBe(true)
          expect(procFile(pid, "net/route").split("\n").slice(1).filter(Boolean)).toEqual([])
          for (const table of ["tcp", "udp", "raw"]) {
            expect(procFile(pid, `net/${table}`).split("\n").slice(1).filter(Boolean)).toEqual([])
          }
        })
        expectBlocked(it, finished, 14)
        expect(reached).toBe(0)
        // It is there for those who are not in a container.
        await Bun.connect({ unix: `\0${name}`, socket: { data() {} } })
        await eventually(() => reached === 1)
      } finally {
        abstract.stop(true)
        server.close()
        datagrams.close()
      }
    },
    slow,
  )

  test.skipIf(!canWatch)(
    "the kernel opens no door",
    async () => {
      let calls: Awaited<ReturnType<typeof traceCalls>> | undefined
      const finished = await runWatched(["kernel.ts"], async (pid) => {
        calls = await traceCalls(pid)
      })
      expectBlocked(it, finished, 38)
      const seen = (await calls?.finished) ?? []
      // What the script says it has tried, the kernel has been asked; and it has said no to every one.
      expect(seen.filter(({ isRefused }) => !isRefused)).toEqual([])
      expect(new Set(seen.map(({ name }) => name)).size).toBeGreaterThanOrEqual(28)
    },
    slow,
  )

  for (const kind of ["x32", "32 bits"]) {
    test.if(process.arch === "x64")(
      `a call of the kernel as ${kind} ends the script at once`,
      async () => {
        const startedAt = performance.now()
        expect(await run(["foreign-calls.ts", kind])).toMatchObject({ code: 128 + 31, stdout: "before\n" })
        // Its time would be up after thirty seconds.
        expect(performance.now() - startedAt).toBeLessThan(25_000)
      },
      slow,
    )
  }

  test(
    "the broker lets nobody else in, and still serves the script",
    async () => {
      const { stdout, code } = await run(["--json", "broker.ts"])
      const result = JSON.parse(stdout)
      expectBlocked(it, { code, stdout: result.stdout, stderr: result.stderr }, 206)
      // What the broker itself has answered.
      const call = { server: "echo", tool: "echo", ok: true, sandbox: true }
      expect(result.toolCalls).toMatchObject([call, call])
    },
    slow,
  )

  test(
    "links in the workspace lead nobody out",
    async () => {
      const finished = await run(["--workspace", "rw", "links.ts", outside.directory])
      expectBlocked(it, finished, 7)
      expect(readdirSync(outside.directory)).toEqual(["secret.txt"])
      expect(outside.path("secret.txt")).toSatisfy((path: string) => readFileSync(path, "utf8") === it.secret)
      expect(lstatSync(project.path("workspace/report.txt")).isFile()).toBe(true)
      expect(existsSync(project.path("planted.txt"))).toBe(false)
    },
    slow,
  )
})
