import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { exchangePaths } from "../../src/platform/exchange.ts"
import { repository } from "../fixtures/project.ts"

let one: string
let other: string
beforeEach(() => {
  const place = mkdtempSync(join(tmpdir(), "mcp-exec-exchange-"))
  one = join(place, "one")
  other = join(place, "the öther")
  for (const folder of [one, other]) mkdirSync(folder)
  writeFileSync(join(one, "of-one"), "")
  writeFileSync(join(other, "of-other"), "")
})
afterEach(() => rmSync(join(one, ".."), { recursive: true }))

const contents = () => [readdirSync(one), readdirSync(other)]
const before = [["of-one"], ["of-other"]]
const after = [["of-other"], ["of-one"]]

const isKnown = ["linux", "darwin"].includes(process.platform) && ["x64", "arm64"].includes(process.arch)
if (!isKnown) console.warn("SKIPPED: no way is known to exchange two folders on this system")

describe("two folders", () => {
  test.skipIf(!isKnown)("change places", async () => {
    expect(await exchangePaths(one, other)).toBe(true)
    expect(contents()).toEqual(after)
  })

  test.skipIf(!isKnown)("change places in Deno, where it may call the system", async () => {
    expect(await inAnother("deno", ["run", "-A"])).toBe("true")
    expect(contents()).toEqual(after)
    expect(await inAnother("deno", ["run", "--no-prompt", "--allow-env", "--allow-sys"])).toBe("false")
    expect(contents()).toEqual(after)
  })

  test("stay where they are in Node, and nothing fails", async () => {
    expect(await inAnother("node", [])).toBe("false")
    expect(contents()).toEqual(before)
  })

  test("stay where they are when one is missing", async () => {
    expect(await exchangePaths(one, join(other, "missing"))).toBe(false)
    expect(await exchangePaths(join(other, "missing"), one)).toBe(false)
    expect(contents()).toEqual(before)
  })
})

/** What the function answers in another runtime. */
async function inAnother(runtime: "deno" | "node", flags: string[]): Promise<string> {
  const program = join(one, "../exchange.ts")
  const source = JSON.stringify(join(repository, "src/platform/exchange.ts"))
  const paths = [one, other].map((path) => JSON.stringify(path)).join(", ")
  writeFileSync(
    program,
    `import { exchangePaths } from ${source}\nconsole.log(String(await exchangePaths(${paths})))\n`,
  )
  const command = [join(repository, "node_modules/.bin", runtime), ...flags, program]
  return (await new Response(Bun.spawn(command, { stdout: "pipe", stderr: "inherit" }).stdout).text()).trim()
}
