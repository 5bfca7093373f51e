import { afterAll, describe, expect, test } from "bun:test"
import { createProject, repository } from "../fixtures/project.ts"
import { echo, fixture, official } from "./servers-config.ts"

const project = createProject({
  servers: { echo, asks: fixture("asks"), everything: official("everything"), missing: { command: "no-such-program" } },
})
afterAll(() => project[Symbol.dispose]())

/** Runs a command on a terminal; each answer is typed when its question has appeared, or so much later. */
async function onTerminal(
  argv: string[],
  conversation: [question: string, typed: string, afterMs?: number][] = [],
  env = {},
) {
  let screen = ""
  let unread = ""
  const waiting = [...conversation]
  const { promise: shown, resolve } = Promise.withResolvers<void>()
  const child = Bun.spawn([process.execPath, `${repository}/src/main.ts`, ...argv], {
    cwd: project.directory,
    env: project.envFor(argv, { env: { LANG: "C.UTF-8", TERM: "xterm", ...env } }),
    terminal: {
      cols: 80,
      rows: 24,
      data(terminal, chunk) {
        const text = new TextDecoder().decode(chunk)
        screen += text
        unread += text
        const [next] = waiting
        if (next === undefined || !unread.includes(next[0])) return
        waiting.shift()
        unread = ""
        if (next[2] === undefined) terminal.write(next[1])
        else setTimeout(() => terminal.write(next[1]), next[2])
      },
      exit: () => resolve(),
    },
  })
  // The process may be gone before the last of what it has printed is here.
  const [exitCode] = await Promise.all([child.exited, shown])
  child.terminal?.close()
  return { exitCode, screen, unasked: waiting }
}

const schema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] }
const question = { method: "elicitation/create", params: { message: "Who are you?", requestedSchema: schema } }
const ask = ["call", "asks.ask", "--args", JSON.stringify(question)]

describe("on a terminal", () => {
  test("a server's question is asked, and the answer sent", async () => {
    const { exitCode, screen, unasked } = await onTerminal(ask, [
      ["name (string): ", "Ada\r"],
      ["(yes/no): ", "yes\r"],
    ])
    expect({ exitCode, unasked }).toEqual({ exitCode: 0, unasked: [] })
    expect(screen).toContain('Server "asks" asks: Who are you?')
    expect(screen).toContain('"action": "accept"')
    expect(screen).toContain('"name": "Ada"')
  })

  test("the time that a person takes is not the script's", async () => {
    const call = `await callTool("asks", "ask", ${JSON.stringify(question)})`
    project.write({ "ask.ts": `import { callTool } from "mcp-exec"\nconsole.log(JSON.stringify(${call}))` })
    const { exitCode, screen } = await onTerminal(
      ["exec", "--timeout", "6", "ask.ts"],
      [
        ["name (string): ", "Ada\r", 6500],
        ["(yes/no): ", "yes\r"],
      ],
    )
    expect({ exitCode, screen }).toEqual({ exitCode: 0, screen: expect.stringContaining('"name":"Ada"') })
  })

  for (const [key, typed] of [
    ["Ctrl-C", "\u0003"],
    ["Ctrl-D", "\u0004"],
  ] as const) {
    test(`${key} cancels a question, and the call goes on`, async () => {
      const { exitCode, screen } = await onTerminal(ask, [["name (string): ", typed]])
      expect(exitCode).toBe(0)
      expect(screen).toContain('"action": "cancel"')
    })
  }

  test("progress is shown and taken away", async () => {
    const argv = ["call", "everything.trigger-long-running-operation", "duration=1", "steps=2"]
    const { exitCode, screen } = await onTerminal(argv)
    expect(exitCode).toBe(0)
    expect(screen).toContain("1/2")
    expect(screen).toContain("2/2\r\u001b[KLong running operation completed")
  })

  test("generate shows how far it is, then one summary in its place", async () => {
    const { exitCode, screen } = await onTerminal(["generate"])
    expect(exitCode).toBe(4)
    const [progress = "", summary = ""] = screen.split("\r\u001b[Kmissing: ")
    expect(progress).toStartWith("0/4 ")
    for (const share of ["1/4 ", "2/4 ", "3/4 ", "4/4 "]) expect(progress).toContain(`\r\u001b[K${share}`)
    expect(progress).not.toContain("\n")
    expect(summary).toMatch(/^\S+error\[E_SERVER_CONNECT\]\S+ The command .*\r\n3 servers, \d+ tools .*\r\n$/)
    expect(summary).toContain(", 1 failed: ")
  })

  test("Ctrl-C ends a call", async () => {
    const argv = ["call", "everything.trigger-long-running-operation", "duration=20", "steps=40"]
    const { exitCode, screen } = await onTerminal(argv, [["1/40", "\u0003"]])
    expect(exitCode).toBe(130)
    expect(screen).toContain("error[E_TOOL_CANCELLED]")
  })

  test("errors are coloured, unless NO_COLOR is set", async () => {
    expect((await onTerminal(["call", "missing.x"])).screen).toStartWith("\u001b[31merror[E_SERVER_CONNECT]\u001b[0m: ")
    const plain = await onTerminal(["call", "missing.x"], [], { NO_COLOR: "1" })
    expect(plain.screen).toStartWith("error[E_SERVER_CONNECT]: ")
  })
})

test("without a terminal generate prints its summary and nothing else", async () => {
  const { code, stdout, stderr } = await project.run(["generate"])
  expect({ code, stderr }).toEqual({ code: 4, stderr: "" })
  expect(stdout).toMatch(/^missing: error\[E_SERVER_CONNECT\]: .*\n3 servers, .* files? written, .*\n$/)
})

test("without a terminal a server's question is declined", async () => {
  const { code, stdout } = await project.run(ask)
  expect(code).toBe(0)
  expect(JSON.parse(stdout).result).toEqual({ action: "decline" })
})
