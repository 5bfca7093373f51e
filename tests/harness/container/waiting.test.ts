import { afterEach, describe, expect, test } from "bun:test"
import { mkdirSync, readdirSync, renameSync, utimesSync } from "node:fs"
import { join } from "node:path"
import type { BoxRun } from "../../../src/guest/box-messages.ts"
import type { BoxPlan } from "../../../src/harness/container/launch.ts"
import { idleMs, keyOf, listWaiting, takeWaiting } from "../../../src/harness/container/waiting.ts"
import { createProject } from "../../fixtures/project.ts"
import { boxPlan } from "./box-plan.ts"

const opened: (() => void)[] = []
afterEach(() => {
  for (const close of opened.splice(0)) close()
})

function makeFolder() {
  const project = createProject({ files: { "shown/a.ts": "" } })
  const directory = project.path("run")
  mkdirSync(directory)
  opened.push(() => project[Symbol.dispose]())
  return { project, directory }
}

/** As a container that waits leaves it; `isAlive` reads the pipe, as the container would. */
async function leaveWaiting(directory: string, name: string, isAlive = true) {
  const place = join(directory, name)
  mkdirSync(place)
  Bun.spawnSync(["mkfifo", join(place, "w")])
  if (!isAlive) return
  const script = 'echo opening >&2; exec cat <"$1"'
  const reader = Bun.spawn(["sh", "-c", script, "sh", join(place, "w")], { stdout: "pipe", stderr: "pipe" })
  opened.push(() => reader.kill("SIGKILL"))
  // Until it has opened its end, which is the next thing it does.
  await reader.stderr.getReader().read()
  await Bun.sleep(200)
  return reader
}

function boxRun(code: string): BoxRun {
  const script = { kind: "code", code, name: "/project/script.ts" } as const
  return { type: "run", files: [], script, args: ["ä"], cwd: "/", env: { TZ: "UTC" }, input: false, isSession: false }
}

describe("a container that waits", () => {
  test("is taken once, and woken by whoever took it", async () => {
    const { directory } = makeFolder()
    const reader = await leaveWaiting(directory, "warm.podman.abcd.1")
    const place = takeWaiting(directory, "abcd")
    expect(place).toMatchObject({ directory: join(directory, `${process.pid}.1`), name: "mcp-exec-1" })
    expect(takeWaiting(directory, "abcd")).toBeUndefined()
    const run = boxRun("console.log(1)")
    expect(place?.wake?.(run)).toBe(true)
    expect(JSON.parse(await new Response(reader?.stdout).text())).toEqual(run)
    expect(readdirSync(place?.directory ?? "")).toEqual([])
  })

  test("is told later of a run that is too long to wake it with", async () => {
    const { directory } = makeFolder()
    const reader = await leaveWaiting(directory, "warm.podman.abcd.1")
    const run = boxRun(`console.log("${"ä".repeat(16 << 10)}")`)
    expect(takeWaiting(directory, "abcd")?.wake?.(run)).toBe(false)
    expect(await new Response(reader?.stdout).text()).toBe("!")
  })

  test("is not taken with another key, nor when its time is nearly over", async () => {
    const { directory } = makeFolder()
    await leaveWaiting(directory, "warm.podman.abcd.1")
    expect(takeWaiting(directory, "abce")).toBeUndefined()
    const then = new Date(Date.now() - idleMs + 5000)
    utimesSync(join(directory, "warm.podman.abcd.1"), then, then)
    expect(takeWaiting(directory, "abcd")).toBeUndefined()
    expect(listWaiting(directory)).toMatchObject([{ key: "abcd", number: "1", isFresh: false }])
  })

  test("that has died is cleared away, and the next one taken", async () => {
    const { directory } = makeFolder()
    await leaveWaiting(directory, "warm.podman.abcd.1", false)
    await leaveWaiting(directory, "warm.podman.abcd.2")
    expect(takeWaiting(directory, "abcd")?.name).toBe("mcp-exec-2")
    // Whichever came first: a second look finds nobody.
    expect(takeWaiting(directory, "abcd")).toBeUndefined()
    expect(listWaiting(directory)).toEqual([])
  })

  test("is told from other things in the folder", () => {
    const { directory } = makeFolder()
    for (const name of ["12.34", "warm.lock", "warm.podman.x.1", "warm.ab.1", "warm.docker.ab.c"])
      mkdirSync(join(directory, name))
    expect(listWaiting(directory)).toEqual([])
  })
})

describe("the key", () => {
  const planWith = (source: string): BoxPlan => ({
    ...boxPlan("/bin/sh"),
    mounts: [{ source, target: source, mode: "ro" }],
    scratches: ["/workspace"],
  })

  test("is the same for what is the same, and another for everything that matters", () => {
    const { project } = makeFolder()
    const plan = planWith(project.path("shown"))
    const { limits, mounts } = plan
    const others: BoxPlan[] = [
      { ...plan, engine: { name: "docker", path: "/bin/sh" } },
      { ...plan, engine: { name: "podman", path: "/bin/cat" } },
      { ...plan, extraFlags: ["--runtime", "runc"] },
      { ...plan, user: "1000:1000" },
      { ...plan, image: "image:2" },
      { ...plan, seccompFile: "/other.json" },
      { ...plan, limits: { ...limits, memoryBytes: 1 << 28 } },
      { ...plan, limits: { ...limits, cpus: 2 } },
      { ...plan, limits: { ...limits, pids: 64 } },
      { ...plan, mounts: [] },
      { ...plan, mounts: mounts.map((mount) => ({ ...mount, mode: "rw" })) },
      { ...plan, scratches: ["/workspace", "/project"] },
    ]
    const key = keyOf(plan, {})
    expect(keyOf(structuredClone(plan), {})).toBe(key)
    const keys = others.map((other) => keyOf(other, {}))
    expect(new Set([key, ...keys, keyOf(plan, { DOCKER_HOST: "unix:///other" })]).size).toBe(others.length + 2)
  })

  test("is another when a folder has been replaced at the same path", () => {
    const { project } = makeFolder()
    const plan = planWith(project.path("shown"))
    const key = keyOf(plan, {})
    renameSync(project.path("shown"), project.path("before"))
    mkdirSync(project.path("shown"))
    expect(keyOf(plan, {})).not.toBe(key)
  })
})
