import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { join } from "node:path"
import { fixtureServer } from "../fixtures/config.ts"
import { createProject, isRunning, type Project, repository, waitForEnd } from "../fixtures/project.ts"
import { type Connected, connectStdio } from "./served.ts"

let project: Project
let served: Connected

beforeAll(async () => {
  project = createProject({
    servers: { echo: fixtureServer("echo"), own: { type: "builtin", name: "echo" } },
    config: { serve: { maxOutputTokens: 2000 }, sandbox: { maxTimeout: 20 } },
    files: {
      "skills/greet.ts": `import { arg, skill } from "mcp-exec"
export default skill(
  { name: "greet", description: "Greets.", args: { who: arg.string({ required: true }), loud: arg.boolean() } },
  async ({ who, loud }) => ({ greeting: loud ? who.toUpperCase() : who }),
)`,
      "scripts/args.ts": "console.log(process.argv.slice(2).join('|'))",
      "notes.txt": "no script",
    },
  })
  served = await connectStdio(project)
  expect((await served.call("generate_wrappers")).isError).toBeUndefined()
})
afterAll(async () => {
  await served[Symbol.asyncDispose]()
  project[Symbol.dispose]()
})

describe("execute_script", () => {
  const given = [
    { name: "what is printed", code: "console.log('a'); console.error('b')", output: "a\nb\n" },
    { name: "the last value", code: "const a: number[] = [1, 2]\na.map((x) => x * 2)", output: "[2,4]\n" },
    { name: "a returned value", code: "if (true) return { a: new Map([['b', 1n]]) }", output: '{"a":{"b":"1"}}\n' },
    { name: "text as it is", code: "```ts\n'a b'\n```", output: "a b\n" },
    { name: "what JSON cannot hold", code: "const a: any = {}; a.a = a; a", output: /Circular/ },
    { name: "a promise's value", code: "Promise.resolve(5)", output: "5\n" },
    { name: "nothing", code: "const a = 1", output: "" },
  ]
  for (const { name, code, output } of given) {
    test(`gives ${name}`, async () => {
      const result = await served.run({ code })
      expect(result).toMatchObject({ ok: true, exitCode: 0, toolCalls: [] })
      if (typeof output === "string") expect(result.output).toBe(output)
      else expect(result.output).toMatch(output)
    })
  }

  test("calls tools through wrappers, and says which", async () => {
    const code = 'import { add } from "#servers/own"\nawait add({ a: 1, b: 2 })'
    const result = await served.run({ code })
    expect(result).toMatchObject({
      ok: true,
      output: '{"sum":3}\n',
      toolCalls: [{ server: "own", tool: "add", ok: true }],
    })
    const many = await served.run({
      code: 'import { callTool } from "mcp-exec"\nfor (let i = 0; i < 30; i++) await callTool("echo.echo", {})',
    })
    expect(many.toolCalls).toEqual([{ server: "echo", tool: "echo", calls: 30, failed: 0, bytes: expect.any(Number) }])
  })

  test("runs skills and files with arguments", async () => {
    expect(await served.run({ skill: "greet", args: { who: "you", loud: true } })).toMatchObject({
      output: '{\n  "greeting": "YOU"\n}\n',
    })
    expect(await served.run({ skill: "greet" })).toMatchObject({
      ok: false,
      exitCode: 2,
      error: { code: "E_USAGE", message: expect.stringContaining("--who is required") },
    })
    const refused = await served.call("execute_script", { skill: "greet", args: { wo: "you" } })
    expect(refused.text).toContain("did you mean --who?")
    // What would have fitted, in the terms of this tool.
    expect(refused.text).toContain('execute_script {"skill":"greet","args":{}}, where args fits {"type":"object"')
    expect(refused.text).not.toContain("mcp-exec exec")
    expect(await served.run({ path: "scripts/args.ts", args: ["a b", "--c"] })).toMatchObject({ output: "a b|--c\n" })
  })

  test("says why a script failed, at which line", async () => {
    const { text, isError } = await served.call("execute_script", {
      code: "const a = 1\nthrow new TypeError('no: ' + a)",
    })
    expect(isError).toBe(true)
    expect(text).toStartWith("1 | const a = 1\n2 | throw new TypeError('no: ' + a)\n")
    expect(text).toMatch(/^TypeError: no: 1\n\s+at .*\[code\]\.ts:2:/m)
    expect(await served.run({ code: "const = 1" })).toMatchObject({ error: { code: "E_SCRIPT_SYNTAX" } })
    expect(await served.run({ code: "process.exit(7)" })).toMatchObject({ ok: false, exitCode: 7 })
  })

  test("ends a script in time", async () => {
    const result = await served.run({ code: "console.log('a'); while (true) {}", timeout: 5 })
    expect(result).toMatchObject({
      ok: false,
      exitCode: 124,
      output: "a\n",
      error: { code: "E_SCRIPT_TIMEOUT", hint: expect.stringContaining("timeout (seconds)") },
    })
  })

  test("stops a script that prints without end", async () => {
    const result = await served.run({ code: "for (;;) console.log('x'.repeat(100000))" })
    expect(result).toMatchObject({ ok: false, error: { code: "E_LIMIT" } })
  })

  test("keeps a script away from the connection's own streams", async () => {
    const result = await served.run({
      code: "const chunks = []; for await (const c of process.stdin) chunks.push(c); chunks.length",
    })
    expect(result).toMatchObject({ ok: true, output: "0\n" })
  })

  const mistaken = [
    { code: "await add({ a: 1 })", message: "line 2: own.add needs the argument 'b'" },
    { code: "await add({ a: 1, b: '2' })", message: "line 2: own.add: argument 'b' must be number, found string" },
    { code: "await add({ a: 1, b: 2, d: 3 })", message: "line 2: own.add has no argument 'd'" },
  ]
  const strange = [
    { code: 'import { ad } from "#servers/own"\nawait ad({})', message: "line 1: server 'own' has no tool 'ad'" },
    { code: 'import { add } from "#servers/onw"\nawait add({})', message: "line 1: servers/ has no server 'onw'" },
  ]
  const loose = [
    "const x = await echo({ n: 1 })\nawait add({ a: x.n, b: x.n })",
    "const x: unknown = 1\nawait add({ a: x, b: 1 })",
    "const x = [1].find((n) => n > 0)\nawait add({ a: x, b: 1 })",
    "function f(x) { return x }\nawait add({ a: f(1), b: 1 })",
  ]

  test("tells of mistakes with tools before it runs anything, where TypeScript is there", async () => {
    const env = { PATH: `${join(repository, "node_modules/.bin")}:${process.env.PATH}` }
    await using other = await connectStdio(project, { env })
    const withImport = (code: string) => `import { add, echo } from "#servers/own"\n${code}`
    const wrong = [...mistaken.map((each) => ({ ...each, code: withImport(each.code) })), ...strange]
    for (const { code, message } of wrong) {
      const result = await other.run({ code: `${code}\nconsole.log("ran")` })
      expect(result).toMatchObject({ ok: false, output: "", toolCalls: [], error: { code: "E_SCRIPT_TYPES" } })
      expect(result.error?.message).toContain(message)
    }
    // What is only untidy runs.
    for (const code of loose) expect(await other.run({ code: withImport(code) })).toMatchObject({ ok: true })
    const all = mistaken.map(({ code }) => other.run({ code: withImport(code), check: false }))
    for (const result of await Promise.all(all)) expect(result.error?.code).not.toBe("E_SCRIPT_TYPES")
  }, 120_000)

  test("checks types first when asked to", async () => {
    const env = { PATH: `${join(repository, "node_modules/.bin")}:${process.env.PATH}` }
    await using other = await connectStdio(project, { env })
    const code = 'import { add } from "./servers/own/index.ts"\nawait add({ a: 1 })'
    const result = await other.run({ code, check: true })
    expect(result).toMatchObject({ ok: false, error: { code: "E_SCRIPT_TYPES" }, toolCalls: [] })
    expect(result.error?.message).toMatch(/^line 2: .*own\.add/)
    expect(await other.run({ code: "const a: number = 1\nreturn a", check: true })).toMatchObject({ output: "1\n" })
    // Who asked for it is told when there is nothing to do it with.
    await using without = await connectStdio(project, { env: { PATH: "/usr/bin:/bin" } })
    const unchecked = await without.run({ code: "1", check: true })
    expect(unchecked).toMatchObject({ ok: true, output: expect.stringContaining("Types were not checked") })
  })
})

describe("a wrong call", () => {
  const wrong = [
    { args: {}, code: "E_USAGE", message: "one of code, skill and path; it got 0" },
    { args: { code: "1", path: "a.ts" }, code: "E_USAGE", message: "it got 2" },
    { args: { script: "1" }, code: "E_USAGE", message: "script is unknown" },
    { args: { code: 5 }, code: "E_USAGE", message: "code:" },
    { args: { code: "1", timeout: -1 }, code: "E_USAGE", message: "timeout:" },
    { args: { code: "1", timeout: 21 }, code: "E_USAGE", message: "timeout 21 is more than a script may have" },
    { args: { code: "1", maxTokens: 0 }, code: "E_USAGE", message: "maxTokens:" },
    { args: { code: "1", session: "../x" }, code: "E_USAGE", message: "session:" },
    { args: { skill: "great" }, code: "E_SKILL_UNKNOWN", message: "There is no skill 'great'" },
    { args: { path: "missing.ts" }, code: "E_SCRIPT_NOT_FOUND", message: "There is no file missing.ts" },
    { args: { path: "notes.txt" }, code: "E_USAGE", message: "not TypeScript" },
    { args: { path: "scripts" }, code: "E_SCRIPT_NOT_FOUND", message: "is not a file" },
    { args: { session: "a", skill: "greet" }, code: "E_USAGE", message: "A session takes code" },
  ]
  for (const { args, code, message } of wrong) {
    test(`is told what is wrong: ${JSON.stringify(args)}`, async () => {
      const result = await served.call("execute_script", args)
      expect(result.isError).toBe(true)
      expect(result.structuredContent).toMatchObject({ ok: false, error: { code, hint: expect.any(String) } })
      expect(result.text).toContain(message)
      expect(result.text).toContain("hint: ")
    })
  }

  test("of another tool is told too", async () => {
    expect((await served.call("search_tools", { limit: "many" })).text).toContain("query:")
    expect((await served.call("search_tools", { query: "x", server: "nope" })).text).toContain(
      "error[E_SERVER_UNKNOWN]",
    )
    expect((await served.call("generate_wrappers", { servers: ["nope"] })).text).toContain("error[E_SERVER_UNKNOWN]")
    expect((await served.call("discover_schemas", { tools: "echo" })).text).toContain("tools:")
    expect((await served.call("execute_scripts")).text).toContain("execute_script")
  })
})

describe("a result that is too long", () => {
  test("is shortened, and can be read as a whole", async () => {
    const code = "Array.from({ length: 5000 }, (_, id) => ({ id, name: 'item ' + id }))"
    const { structuredContent, content, text } = await served.call("execute_script", { code })
    const { output, artifacts } = structuredContent as { output: string; artifacts: { uri: string }[] }
    expect(JSON.parse(output).at(-1)).toMatch(/^… \d+ more of 5000$/)
    const link = content.find(({ type }) => type === "resource_link")
    expect(link?.uri).toBe(artifacts[0]?.uri as string)
    expect(text).toContain(`read ${link?.uri}?offset=0`)
    let whole = ""
    for (let offset: unknown = 0; offset !== undefined; ) {
      const { contents } = await served.client.readResource({ uri: `${link?.uri}?offset=${offset}&length=100000` })
      const [part] = contents
      whole += part && "text" in part ? part.text : ""
      offset = part?._meta?.nextOffset
    }
    expect(JSON.parse(whole)).toHaveLength(5000)
  })

  test("may be asked to be shorter, never longer", async () => {
    const code = "'word '.repeat(20000)"
    const lengths = await Promise.all(
      [{}, { maxTokens: 100 }, { maxTokens: 1_000_000 }].map(async (budget) => {
        return (await served.run({ code, ...budget })).output.length
      }),
    )
    expect(lengths[1]).toBeLessThan(lengths[0] as number)
    expect(lengths[2]).toBe(lengths[0] as number)
  })

  test("keeps images as resources", async () => {
    const data = Buffer.from([137, 80, 78, 71]).toString("base64")
    const { structuredContent } = await served.call("execute_script", {
      code: `({ content: [{ type: "image", data: "${data}", mimeType: "image/png" }] })`,
    })
    const { output, artifacts } = structuredContent as { output: string; artifacts: { uri: string }[] }
    const uri = artifacts[0]?.uri as string
    expect(JSON.parse(output)).toEqual({ content: [{ type: "image", mimeType: "image/png", uri, bytes: 4 }] })
    const { contents } = await served.client.readResource({ uri })
    expect(contents[0]).toMatchObject({ mimeType: "image/png", blob: data })
  })
})

describe("a run", () => {
  test("tells what it prints while it prints it", async () => {
    const heard: string[] = []
    // Only what is told before its end lets it go on.
    const code = "console.log('a'); while (!(await Bun.file('go').exists())) await Bun.sleep(10); console.log('b')"
    const onprogress = ({ message }: { message?: string }) => {
      heard.push(message ?? "")
      project.write({ go: "" })
    }
    const result = await served.run({ code }, { onprogress })
    expect(result.output).toBe("a\nb\n")
    // The client may drop what comes together with the result.
    expect(heard[0]).toBe("a\n")
  })

  test("ends when its call is cancelled", async () => {
    const file = project.path("pid")
    const stop = new AbortController()
    const code = `await Bun.write(${JSON.stringify(file)}, String(process.pid)); await new Promise((r) => setTimeout(r, 60000))`
    const call = served.run({ code }, { signal: stop.signal })
    const pid = await readPid(file)
    stop.abort()
    await expect(call).rejects.toThrow()
    await waitForEnd(pid)
    expect(await served.run({ code: "1" })).toMatchObject({ ok: true })
  })

  test("waits for its turn", async () => {
    const code = "await new Promise((r) => setTimeout(r, 100)); Date.now()"
    const results = await Promise.all(Array.from({ length: 12 }, () => served.run({ code })))
    expect(results.every(({ ok }) => ok)).toBe(true)
    const ends = results.map(({ output }) => Number(output)).sort()
    // Four at once: three rounds.
    expect((ends.at(-1) as number) - (ends[0] as number)).toBeGreaterThan(150)
  })
})

test("a client that goes takes its runs with it", async () => {
  const file = project.path("pid-of-left")
  const other = await connectStdio(project)
  const code = `await Bun.write(${JSON.stringify(file)}, String(process.pid)); await new Promise((r) => setTimeout(r, 60000))`
  void other.run({ code }).catch(() => {})
  const pid = await readPid(file)
  expect(await isRunning(pid)).toBe(true)
  await other.client.close()
  await waitForEnd(pid)
  await waitForEnd(other.pid)
})

async function readPid(file: string): Promise<number> {
  for (;;) {
    const text = await Bun.file(file)
      .text()
      .catch(() => "")
    if (text !== "") return Number(text)
    await Bun.sleep(10)
  }
}
