import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { writeFiles } from "../../src/codegen/write.ts"
import { repairTree } from "../../src/codegen/write-tree.ts"
import { exchangePaths } from "../../src/platform/exchange.ts"
import { type System, systems } from "./moves.ts"
import { readTree, sorted, treeOf } from "./trees.ts"

const kills = 200
const trees = { old: sorted(treeOf("old")), new: sorted(treeOf("new")) }
const either = [trees.old, trees.new].map((tree) => JSON.stringify([...tree]))

let parent: string
let folder: string
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "mcp-exec-write-"))
  folder = join(parent, "servers")
})
afterEach(() => rmSync(parent, { recursive: true, force: true }))

const names = Object.keys(systems) as System[]
const canExchange = await isExchangeThere()

describe.each(names)("where %s,", (system) => {
  const options = { moves: systems[system] }

  test("a tree becomes another, and nothing is left beside it", async () => {
    await writeFiles(folder, treeOf("old"), options)
    expect(readTree(folder)).toEqual(trees.old)
    await writeFiles(folder, treeOf("new"), options)
    expect(readTree(folder)).toEqual(trees.new)
    expect(readdirSync(parent)).toEqual(["servers"])
    expect(readdirSync(folder).sort()).toEqual(["_runtime.ts", "changes", "index.json", "new", "same"])
  })

  test("what somebody saves meanwhile stays", async () => {
    await writeFiles(folder, treeOf("old"), options)
    writeFileSync(join(folder, "same/utils.ts"), "export const mine = 1\n")
    const { exchange, rename } = systems[system]
    const moves = {
      rename,
      exchange(...paths: [string, string]) {
        // As an editor does it, at the last moment before the folder is moved.
        writeFileSync(join(folder, "same/utils.ts~"), "export const mine = 2\n")
        renameSync(join(folder, "same/utils.ts~"), join(folder, "same/utils.ts"))
        return exchange(...paths)
      },
    }
    // Longer than a tick of the clock that files have.
    await Bun.sleep(50)
    await writeFiles(folder, treeOf("new"), { moves })
    expect(readFileSync(join(folder, "same/utils.ts"), "utf8")).toBe("export const mine = 2\n")
    expect(readFileSync(join(folder, "index.json"), "utf8")).toBe(trees.new.get("index.json") as string)
  })

  for (const count of [2, 4]) {
    test(`${count} writers at once leave one tree, and nothing else`, async () => {
      const writers = Array.from({ length: count }, (_, index) => startWriter(system, String(6 + index)))
      for (const { exited, stderr } of writers) {
        expect([await exited, await new Response(stderr).text()]).toEqual([0, ""])
      }
      expect(either).toContain(JSON.stringify([...readTree(folder)]))
      expect(readdirSync(parent)).toEqual(["servers"])
    }, 120_000)
  }
})

test.skipIf(!canExchange)("where both folders change places, that one step is all there is", async () => {
  await writeFiles(folder, treeOf("old"))
  const before = lstatSync(folder).ino
  const moves = {
    exchange: exchangePaths,
    rename(from: string) {
      throw new Error(`${from} was renamed`)
    },
  }
  await writeFiles(folder, treeOf("new"), { moves })
  expect(readTree(folder)).toEqual(trees.new)
  // Not file by file either: it is another folder.
  expect(lstatSync(folder).ino).not.toBe(before)
})

describe("a writer that is killed", () => {
  test.skipIf(!canExchange)(
    `leaves the old tree or the new one, at each of ${kills} moments`,
    async () => {
      await writeFiles(folder, treeOf("old"))
      const seen = await killRepeatedly("both folders change places", kills, () => {
        const tree = JSON.stringify([...readTree(folder)])
        expect(either).toContain(tree)
        return tree
      })
      expect(new Set(seen).size).toBe(2)
      await expectRecovery()
    },
    120_000,
  )

  test("where folders can only be renamed, leaves one or the other for the next to find", async () => {
    await writeFiles(folder, treeOf("old"))
    await killRepeatedly("folders can only be renamed", 30, () => {
      // Between two renames there is a moment without a folder; whoever comes next puts it back.
      if (!existsSync(folder)) repairTree(folder)
      expect(either).toContain(JSON.stringify([...readTree(folder)]))
    })
    await expectRecovery()
  }, 120_000)

  test("where the folder cannot be moved, leaves whole files, and none that names a missing one", async () => {
    await writeFiles(folder, treeOf("old"))
    await killRepeatedly("the folder cannot be moved", 30, expectConsistent)
    await expectRecovery()
  }, 120_000)

  test("between two renames leaves an old folder, which comes back", async () => {
    await writeFiles(join(parent, `.servers.old-${deadProcess()}-0`), treeOf("old"))
    repairTree(folder)
    expect(readTree(folder)).toEqual(trees.old)
    expect(readdirSync(parent)).toEqual(["servers"])
  })

  test("leaves a lock that does not hold up the next one", async () => {
    writeFileSync(join(parent, ".servers.lock"), `${deadProcess()} gone\n`)
    await writeFiles(folder, treeOf("old"))
    expect(readdirSync(parent)).toEqual(["servers"])
  })
})

const canMount = process.platform === "linux" && process.getuid?.() === 0 && tryMount()
if (!canMount) console.warn("SKIPPED: a folder that is a mount is only tested as root on Linux")
test.skipIf(!canMount)(
  "a folder that is a mount is changed file by file",
  async () => {
    mkdirSync(folder)
    mount(folder)
    try {
      const { ino } = lstatSync(folder)
      await writeFiles(folder, treeOf("old"))
      expect(readTree(folder)).toEqual(trees.old)
      await killRepeatedly(undefined, 10, expectConsistent)
      await writeFiles(folder, treeOf("new"))
      expect(readTree(folder)).toEqual(trees.new)
      expect(lstatSync(folder).ino).toBe(ino)
      expect(readdirSync(parent)).toEqual(["servers"])
    } finally {
      Bun.spawnSync(["umount", folder])
    }
  },
  120_000,
)

/** Every file is one of the old tree or the new one, and whatever is listed is there. */
function expectConsistent(): void {
  const found = readTree(folder)
  for (const [path, text] of found) {
    if (path.startsWith(".next-")) continue
    expect([trees.old.get(path), trees.new.get(path)]).toContain(text)
  }
  const { which } = JSON.parse(found.get("index.json") ?? "{}")
  const wanted = [...trees[which as "old" | "new"].keys()]
  expect(wanted.filter((path) => !found.has(path))).toEqual([])
}

async function expectRecovery(): Promise<void> {
  await writeFiles(folder, treeOf("new"))
  expect(readTree(folder)).toEqual(trees.new)
  expect(readdirSync(parent)).toEqual(["servers"])
}

function startWriter(system: System | undefined, rounds = "1000000") {
  const program = join(import.meta.dir, "write-loop.ts")
  const args = [folder, rounds, ...(system === undefined ? [] : [system])]
  return Bun.spawn([process.execPath, program, ...args], { stdout: "pipe", stderr: "pipe" })
}

/** Lets writers run, one after the other, and kills each at a random moment of its first writes. */
async function killRepeatedly<T>(system: System | undefined, count: number, look: () => T): Promise<T[]> {
  const seen: T[] = []
  // How long that is depends on what else the machine does.
  const startedAt = performance.now()
  await startWriter(system, "3").exited
  const spanMs = performance.now() - startedAt
  for (let round = 0; round < count; round++) {
    const child = startWriter(system)
    await child.stdout.getReader().read()
    await Bun.sleep(Math.random() * spanMs)
    child.kill("SIGKILL")
    await child.exited
    seen.push(look())
  }
  return seen
}

function deadProcess(): number {
  return Bun.spawnSync(["true"]).pid
}

async function isExchangeThere(): Promise<boolean> {
  const place = mkdtempSync(join(tmpdir(), "mcp-exec-exchange-"))
  for (const name of ["a", "b"]) mkdirSync(join(place, name))
  const isThere = await exchangePaths(join(place, "a"), join(place, "b"))
  rmSync(place, { recursive: true })
  if (!isThere) console.warn("SKIPPED: this system cannot exchange two folders")
  return isThere
}

function mount(path: string): boolean {
  return Bun.spawnSync(["mount", "-t", "tmpfs", "tmpfs", path], { stdout: "ignore", stderr: "ignore" }).success
}

function tryMount(): boolean {
  const place = mkdtempSync(join(tmpdir(), "mcp-exec-mount-"))
  const isMounted = mount(place)
  if (isMounted) Bun.spawnSync(["umount", place])
  rmSync(place, { recursive: true })
  return isMounted
}
