// Generated files where mcp-exec is not: read by Bun, Deno and Node, and checked by Deno.
import { afterAll, describe, expect, test } from "bun:test"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { generateFiles } from "../../src/codegen/generate.ts"
import { guestSource } from "../../src/guest/plain-file.ts"
import { repository } from "../fixtures/project.ts"
import { hostileCatalog } from "./hostile.ts"

const plain = { name: "plain", description: "Adds", tools: [{ name: "add", description: "", inputSchema: {} }] }
const catalog = { servers: [...hostileCatalog.servers, plain] }
const files = generateFiles(catalog, { runtime: await guestSource() })
const directory = mkdtempSync(join(tmpdir(), "mcp-exec-wrappers-"))
afterAll(() => rmSync(directory, { recursive: true }))

const indexes = [...files.keys()].filter((path) => path.endsWith("/index.ts"))
const script = `const modules = await Promise.all(JSON.parse(process.argv[2]).map((path) => import("./servers/" + path)))
const functions = modules.flatMap((module) => Object.values(module)).filter((value) => typeof value === "function")
const { add } = await import("./servers/plain/index.ts")
const failure = await add().catch((error) => ({ name: error.name, code: error.code, hint: error.hint }))
console.log(JSON.stringify({ functions: functions.length, failure }))
`
write({ "use.mjs": script, "package.json": '{ "type": "module" }' })
write(Object.fromEntries([...files].map(([path, text]) => [`servers/${path}`, text])))

const program = join(repository, "node_modules/.bin")
const runtimes = {
  Bun: [join(program, "bun"), "run"],
  Deno: [join(program, "deno"), "run", "--allow-env", "--allow-read", "--no-prompt", "--no-config"],
  Node: [join(program, "node"), "--disable-warning=ExperimentalWarning"],
}

describe("wrappers outside mcp-exec", () => {
  for (const [name, command] of Object.entries(runtimes)) {
    test(`load under ${name}, and a call says what is missing`, async () => {
      const { code, stdout, stderr } = await run([...command, "use.mjs", JSON.stringify(indexes)])
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
      const hint = "Start it with: mcp-exec exec <file>"
      const { functions, failure } = JSON.parse(stdout)
      expect(failure).toEqual({ name: expect.any(String), code: "E_BROKER", hint })
      expect(functions).toBeGreaterThan(80)
    })
  }

  test("are accepted by deno check", async () => {
    const command = [join(program, "deno"), "check", "--no-config", "--quiet"]
    expect(await run([...command, ...indexes.map((path) => `servers/${path}`)])).toMatchObject({ code: 0, stderr: "" })
  }, 120_000)
})

async function run(command: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { PATH: process.env.PATH ?? "", HOME: directory, NO_COLOR: "1" }
  const child = Bun.spawn(command, { cwd: directory, env, stdout: "pipe", stderr: "pipe" })
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { code, stdout, stderr }
}

function write(contents: Record<string, string>): void {
  for (const [name, text] of Object.entries(contents)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true })
    writeFileSync(join(directory, name), text)
  }
}
