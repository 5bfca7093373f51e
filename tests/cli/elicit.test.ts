import { describe, expect, test } from "bun:test"
import { tmpdir } from "node:os"
import { createElicit } from "../../src/cli/elicit.ts"
import { captureIo } from "./captured-io.ts"

const form = {
  server: "shop",
  message: "Where should it go?",
  requestedSchema: {
    type: "object",
    properties: {
      name: { type: "string", title: "Name", description: "Who opens the door" },
      floor: { type: "integer", default: 0 },
      gift: { type: "boolean" },
    },
    required: ["name"],
  },
}

function terminal() {
  const io = captureIo({ cwd: tmpdir(), tty: true })
  const elicit = createElicit(io)
  if (elicit === undefined) throw new Error("a terminal has somebody to ask")
  return { io, elicit }
}

test("nobody is asked without a terminal", () => {
  expect(createElicit(captureIo({ cwd: tmpdir(), tty: false }))).toBeUndefined()
})

describe("a form", () => {
  test("is filled in, shown and sent", async () => {
    const { io, elicit } = terminal()
    const answer = elicit(form)
    io.typed.write("Ada\nhigh\n2\n\nyes\n")
    expect(await answer).toEqual({ action: "accept", content: { name: "Ada", floor: 2 } })
    const { stdout, stderr } = io.written
    expect(stdout).toBe("")
    expect(stderr).toContain('Server "shop" asks: Where should it go?')
    expect(stderr).toContain("Who opens the door")
    expect(stderr).toContain("a whole number is needed")
  })

  test("can be declined after it was filled in", async () => {
    const { io, elicit } = terminal()
    io.typed.write("Ada\n\n\nperhaps\nno\n")
    expect(await elicit(form)).toEqual({ action: "decline" })
  })

  test("is cancelled by the end of input", async () => {
    const { io, elicit } = terminal()
    io.typed.end("Ada\n")
    expect(await elicit(form)).toEqual({ action: "cancel" })
  })

  test("without fields asks for consent", async () => {
    const { io, elicit } = terminal()
    io.typed.write("y\n")
    expect(await elicit({ server: "shop", message: "Sure?" })).toEqual({ action: "accept", content: {} })
  })

  test("cannot drive the terminal", async () => {
    const { io, elicit } = terminal()
    io.typed.write("n\n")
    await elicit({ server: "shop", message: "\u001b]0;owned\u0007Sure?" })
    expect(io.written.stderr).toContain('Server "shop" asks: ]0;ownedSure?')
  })
})

test("a page is shown with its host and never opened", async () => {
  const { io, elicit } = terminal()
  io.typed.write("yes\n")
  const request = { server: "shop", message: "Sign in", mode: "url" as const, url: "https://login.example.com/a?b=c" }
  expect(await elicit(request)).toEqual({ action: "accept" })
  expect(io.written.stderr).toContain("open this page on login.example.com:\n\n  https://login.example.com/a?b=c\n")
})

test("a question that nobody waits for any more makes way for the next", async () => {
  const { io, elicit } = terminal()
  const gone = new AbortController()
  const first = elicit(form, gone.signal)
  const waiting = elicit({ server: "two", message: "Second?" }, gone.signal)
  const third = elicit({ server: "three", message: "Third?" })
  await Bun.sleep(20)
  gone.abort()
  expect(await first).toEqual({ action: "cancel" })
  expect(await waiting).toEqual({ action: "cancel" })
  expect(io.written.stderr).toContain('Server "shop" no longer waits for an answer.')
  expect(io.written.stderr).not.toContain("Second?")
  io.typed.write("yes\n")
  expect(await third).toEqual({ action: "accept", content: {} })
})

test("two servers are answered one after the other", async () => {
  const { io, elicit } = terminal()
  const first = elicit({ server: "one", message: "First?" })
  const second = elicit({ server: "two", message: "Second?" })
  await Bun.sleep(20)
  expect(io.written.stderr).not.toContain("Second?")
  io.typed.write("yes\n")
  expect(await first).toEqual({ action: "accept", content: {} })
  await Bun.sleep(20)
  io.typed.write("no\n")
  expect(await second).toEqual({ action: "decline" })
})
