import { afterAll, beforeAll, expect, test } from "bun:test"
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { runBuiltinChild } from "../../src/builtin/child.ts"
import { connectChild, textOf } from "./rpc.ts"

const entry = join(import.meta.dir, "child-entry.ts")
const deno = join(import.meta.dir, "../../node_modules/.bin/deno")
const runtimes = [
  { runtime: "Bun", command: [process.execPath, entry] },
  { runtime: "Deno", command: [deno, "run", "-A", entry] },
]

let root = ""
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "mcp-exec-child-")))
})
afterAll(() => rmSync(root, { recursive: true }))

for (const { runtime, command } of runtimes) {
  test(`the filesystem server reads and writes below its directory alone, under ${runtime}`, async () => {
    await using client = await connectChild([...command, "filesystem", root], {})
    await client.call("write_file", { path: join(root, "a b.txt"), content: "written" })
    expect(readFileSync(join(root, "a b.txt"), "utf8")).toBe("written")
    expect(textOf(await client.call("read_text_file", { path: "a b.txt" }))).toBe("written")
    expect(textOf(await client.call("list_allowed_directories"))).toBe(`Allowed directories:\n${root}`)
    expect((await client.call("read_text_file", { path: join(root, "../outside.txt") })).isError).toBe(true)
  })

  test(`the memory server keeps its graph in the file it is told, under ${runtime}`, async () => {
    const file = join(root, `${runtime}.jsonl`)
    const env = { MEMORY_FILE_PATH: file }
    const entity = { name: "mcp-exec", entityType: "program", observations: ["runs scripts"] }
    {
      await using client = await connectChild([...command, "memory"], env)
      await client.call("create_entities", { entities: [entity] })
    }
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ type: "entity", ...entity })
    await using again = await connectChild([...command, "memory"], env)
    expect((await again.call("read_graph")).structuredContent).toEqual({ entities: [entity], relations: [] })
  })
}

test("the server ends when its input closes", async () => {
  writeFileSync(join(root, "x"), "")
  const child = Bun.spawn([process.execPath, entry, "filesystem", root], { stdin: "ignore", stderr: "ignore" })
  expect(await child.exited).toBe(0)
})

test("a name that is no packaged server is a usage error", async () => {
  await expect(runBuiltinChild("fetch", [])).rejects.toMatchObject({ code: "E_USAGE" })
})
