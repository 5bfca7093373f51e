import { afterAll, describe, expect, test } from "bun:test"
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import fc from "fast-check"
import { createState } from "../../src/guest/state.ts"
import { repository } from "../fixtures/project.ts"

const root = mkdtempSync(join(tmpdir(), "mcp-exec-state-"))
afterAll(() => rmSync(root, { recursive: true }))

function emptyWorkspace(): string {
  return mkdtempSync(join(root, "workspace-"))
}

describe("state", () => {
  test("is kept, listed, replaced and deleted", async () => {
    const workspace = emptyWorkspace()
    const state = createState(workspace, "demo")
    expect([await state.get("a"), await state.list(), await state.delete("a")]).toEqual([undefined, [], false])
    await state.set("b", { deep: [1, null] })
    await state.set("a", 1)
    await state.set("a", "two")
    expect(await state.list()).toEqual(["a", "b"])
    expect([await state.get<string>("a"), await state.get("b")]).toEqual(["two", { deep: [1, null] }])
    expect(await state.delete("a")).toBe(true)
    expect(await state.list()).toEqual(["b"])
    expect(readdirSync(join(workspace, ".state"))).toEqual(["demo"])
  })

  test("belongs to its skill, whatever the skill is called", async () => {
    const workspace = emptyWorkspace()
    const names = ["demo", "Demo", "../demo", "..", "", "[eval]", "a/b", "a-b", "x".repeat(300), `y${"x".repeat(300)}`]
    for (const name of names) await createState(workspace, name).set("name", name)
    for (const name of names) expect(await createState(workspace, name).get<string>("name")).toBe(name)
    expect(readdirSync(workspace)).toEqual([".state"])
    expect(readdirSync(join(workspace, ".state"))).toHaveLength(names.length)
  })

  test("takes any text as a key", async () => {
    const state = createState(emptyWorkspace(), "keys")
    const odd = ["", ".", "..", "/etc/passwd", "a\u0000b", "A", "a", "__proto__", "ü".repeat(5000), "\ud800"]
    for (const [index, key] of odd.entries()) await state.set(key, index)
    for (const [index, key] of odd.entries()) expect(await state.get<number>(key)).toBe(index)
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary" }), fc.jsonValue(), async (key, value) => {
        await state.set(key, value)
        expect(await state.get(key)).toEqual(JSON.parse(JSON.stringify(value)))
        await state.delete(key)
      }),
      { numRuns: 50 },
    )
  })

  test("keeps one megabyte and no more", async () => {
    const state = createState(emptyWorkspace(), "large")
    await state.set("fits", "x".repeat(999_998))
    const refused = state.set("fits", "x".repeat(999_999))
    await expect(refused).rejects.toMatchObject({
      code: "E_STATE",
      message: 'The value for "fits" has 1000001 bytes; 1000000 can be kept',
    })
    expect((await state.get<string>("fits"))?.length).toBe(999_998)
  })

  test("refuses what JSON cannot hold, and keys that are no text", async () => {
    const state = createState(emptyWorkspace(), "odd")
    const circle: unknown[] = []
    circle.push(circle)
    for (const value of [undefined, () => 1, 1n, circle, Symbol("x")]) {
      await expect(state.set("key", value)).rejects.toMatchObject({ code: "E_STATE" })
    }
    await expect(state.get(5 as unknown as string)).rejects.toMatchObject({
      message: "A key of the state must be a string, not number",
    })
    expect(await state.list()).toEqual([])
  })

  test("that was broken by hand says which file it is", async () => {
    const workspace = emptyWorkspace()
    const state = createState(workspace, "demo")
    await state.set("a", 1)
    const [name = ""] = readdirSync(join(workspace, ".state/demo"))
    writeFileSync(join(workspace, ".state/demo", name), "{")
    await expect(state.get("a")).rejects.toThrow(name)
    await state.set("a", 2)
    expect(await state.get<number>("a")).toBe(2)
  })

  test("whose place is taken by a file is an error, and nothing else is lost", async () => {
    const workspace = emptyWorkspace()
    writeFileSync(join(workspace, ".state"), "mine")
    await expect(createState(workspace, "demo").set("a", 1)).rejects.toMatchObject({
      code: "E_STATE",
      hint: expect.stringContaining("must be writable"),
    })
    expect(await Bun.file(join(workspace, ".state")).text()).toBe("mine")
  })
})

const program = join(repository, "node_modules/.bin")
const runtimes = [
  { name: "Bun", command: [join(program, "bun")] },
  { name: "Deno", command: [join(program, "deno"), "run", "-A", "--no-config"] },
  { name: "Node", command: [join(program, "node"), "--disable-warning=ExperimentalWarning"] },
]

test("runs at the same time, in three runtimes, lose none of each other's keys", async () => {
  const workspace = emptyWorkspace()
  const file = join(root, "counter.ts")
  writeFileSync(
    file,
    `import { state } from ${JSON.stringify(join(repository, "src/guest/api.ts"))}
     for (let n = 0; n < 20; n++) {
       await state.set(process.argv[2] + n, n)
       await state.set("shared", "x".repeat(50_000))
       if ((await state.get("shared")).length !== 50_000) throw new Error("half a value")
     }`,
  )
  const children = runtimes.map(({ name, command }) =>
    Bun.spawn([...command, file, name], {
      env: { PATH: process.env.PATH ?? "", HOME: root, MCP_EXEC_WORKSPACE: workspace },
      stderr: "inherit",
    }),
  )
  expect(await Promise.all(children.map((child) => child.exited))).toEqual([0, 0, 0])
  const state = createState(workspace, "counter")
  expect(await state.list()).toHaveLength(61)
  expect(readdirSync(join(workspace, ".state/counter")).every((name) => name.endsWith(".json"))).toBe(true)
})
