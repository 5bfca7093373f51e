import { afterAll, describe, expect, test } from "bun:test"
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { StateRequest } from "../../../src/broker/protocol.ts"
import { createState, stateFile } from "../../../src/guest/state.ts"
import { sandboxState } from "../../../src/operations/sandbox/state.ts"

const root = mkdtempSync(join(tmpdir(), "mcp-exec-sandbox-state-"))
afterAll(() => rmSync(root, { recursive: true }))

/** A workspace, and what a script at a path may do with its state in it. */
function stateOf(script = "/project/report.ts") {
  const workspace = join(mkdtempSync(join(root, "project-")), "workspace")
  const state = sandboxState(workspace, script)
  const ask = (action: StateRequest["action"], rest: Partial<StateRequest> = {}) =>
    state({ type: "state", id: 1, action, name: "report", key: "", ...rest })
  return { workspace, ask, folder: join(workspace, ".state/report") }
}

describe("the state of a sandboxed script", () => {
  test("is the one that it has without a sandbox", async () => {
    const { workspace, ask } = stateOf()
    expect([await ask("get", { key: "a" }), await ask("list"), await ask("delete", { key: "a" })]).toEqual([
      undefined,
      [],
      false,
    ])
    expect(readdirSync(join(workspace, ".."))).toEqual([])
    await ask("set", { key: "a", value: { deep: [1, null] } })
    const direct = createState(workspace, "report")
    expect(await direct.get("a")).toEqual({ deep: [1, null] })
    await direct.set("b", "two")
    expect([await ask("get", { key: "b" }), await ask("list")]).toEqual(["two", ["a", "b"]])
    expect([await ask("delete", { key: "a" }), await direct.list()]).toEqual([true, ["b"]])
  })

  const owners = [
    { script: "/project/report.ts", may: ["report"], mayNot: ["other", "../report", "", "Report", "report.ts"] },
    { script: "/project/skills/triage/main.ts", may: ["main", "triage"], mayNot: ["skills", "project"] },
    { script: "/project/[eval].ts", may: ["[eval]"], mayNot: ["eval"] },
  ]
  for (const { script, may, mayNot } of owners) {
    test(`belongs to the script ${script} alone`, async () => {
      const { ask } = stateOf(script)
      for (const name of may) await ask("set", { name, key: "a", value: 1 })
      for (const name of mayNot) {
        for (const action of ["get", "set", "delete", "list"] as const) {
          const refused = ask(action, { name, key: "a", value: 1 })
          await expect(refused).rejects.toMatchObject({
            code: "E_STATE",
            message: expect.stringContaining("no access"),
          })
        }
      }
    })
  }

  test("has a limit of size, which calls at once do not get around", async () => {
    const { ask, folder } = stateOf()
    const value = "x".repeat(900_000)
    const sets = Array.from({ length: 40 }, (_, index) => ask("set", { key: String(index), value }))
    const kept = (await Promise.allSettled(sets)).filter(({ status }) => status === "fulfilled").length
    expect(kept).toBe(18)
    expect(readdirSync(folder)).toHaveLength(kept)
    // What is there may still be replaced, and deleting makes room.
    await ask("set", { key: "0", value })
    await expect(ask("set", { key: "new", value })).rejects.toMatchObject({ hint: expect.stringContaining("16 MB") })
    await ask("delete", { key: "0" })
    await ask("set", { key: "new", value })
    await expect(ask("set", { key: "large", value: "x".repeat(1_000_001) })).rejects.toMatchObject({ code: "E_STATE" })
    await expect(ask("set", { key: "k".repeat(100_000), value: 1 })).rejects.toMatchObject({ code: "E_STATE" })
  })

  test("has a limit of values", async () => {
    const { ask, folder } = stateOf()
    mkdirSync(folder, { recursive: true })
    for (let count = 0; count < 1000; count++) writeFileSync(join(folder, `${count}.json`), "{}")
    await expect(ask("set", { key: "one", value: 1 })).rejects.toMatchObject({ code: "E_STATE" })
    writeFileSync(join(folder, "more.json"), "{}")
    await expect(ask("list")).rejects.toMatchObject({ code: "E_STATE" })
  })

  test("follows no link that another run has left in the workspace", async () => {
    const outside = mkdtempSync(join(root, "outside-"))
    writeFileSync(join(outside, stateFile("a")), '{"key":"a","value":"secret"}')
    const asFolder = stateOf()
    mkdirSync(join(asFolder.workspace, ".state"), { recursive: true })
    symlinkSync(outside, asFolder.folder)
    const asState = stateOf()
    mkdirSync(asState.workspace)
    mkdirSync(join(outside, "report"))
    symlinkSync(outside, join(asState.workspace, ".state"))
    const asFile = stateOf()
    mkdirSync(asFile.folder, { recursive: true })
    symlinkSync(join(outside, stateFile("a")), join(asFile.folder, stateFile("a")))
    for (const { ask } of [asFolder, asState, asFile]) {
      await expect(ask("get", { key: "a" })).rejects.toMatchObject({ code: "E_STATE" })
    }
    for (const { ask } of [asFolder, asState]) {
      await expect(ask("set", { key: "a", value: 1 })).rejects.toMatchObject({ code: "E_STATE" })
    }
    // A link in the place of a file is replaced, and what it led to stays as it was.
    await asFile.ask("set", { key: "a", value: 1 })
    expect(await asFile.ask("get", { key: "a" })).toBe(1)
    expect(await Bun.file(join(outside, stateFile("a"))).text()).toContain("secret")
    expect(readdirSync(outside).sort()).toEqual([stateFile("a"), "report"].sort())
    expect(readdirSync(join(outside, "report"))).toEqual([])
  })

  test("reads neither pipes nor files that are too large, and names the file as the user knows it", async () => {
    const { ask, folder } = stateOf()
    mkdirSync(folder, { recursive: true })
    Bun.spawnSync(["mkfifo", join(folder, stateFile("pipe"))])
    await expect(ask("get", { key: "pipe" })).rejects.toMatchObject({ code: "E_STATE" })
    writeFileSync(join(folder, stateFile("sparse")), "")
    truncateSync(join(folder, stateFile("sparse")), 2 ** 40)
    const refused = ask("get", { key: "sparse" })
    await expect(refused).rejects.toMatchObject({ message: expect.stringContaining(join(folder, stateFile("sparse"))) })
  })
})
