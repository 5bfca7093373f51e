import { afterEach, describe, expect, test } from "bun:test"
import { existsSync, statSync } from "node:fs"
import { type BoxAnswer, encodeFrame, frameKind } from "../../../src/guest/box-messages.ts"
import { HostChannel } from "../../../src/harness/container/host-channel.ts"
import { eventually } from "../../fixtures/eventually.ts"
import { createProject } from "../../fixtures/project.ts"

const opened: { channel: HostChannel; project: Disposable }[] = []
afterEach(() => {
  for (const { channel, project } of opened.splice(0)) {
    channel.close()
    project[Symbol.dispose]()
  }
})

async function open() {
  const project = createProject()
  const path = project.path("c")
  const answers: BoxAnswer[] = []
  const output: [string, string][] = []
  const channel = new HostChannel(path, {
    output: (stream, bytes) => output.push([stream, new TextDecoder().decode(bytes)]),
    answer: (answer) => answers.push(answer),
  })
  await channel.listen()
  opened.push({ channel, project })
  return { channel, path, answers, output }
}

async function connect(path: string) {
  let heard = ""
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  const socket = await Bun.connect({
    unix: path,
    socket: {
      data: (_, chunk) => {
        heard += chunk.toString()
      },
      close: () => resolve(),
    },
  })
  return { socket, closed, heard: () => heard }
}

const answerFrame = (text: string) => encodeFrame(frameKind.answer, new TextEncoder().encode(text))

describe("the channel into a container", () => {
  test("admits the first connection and nobody after it", async () => {
    const { channel, path } = await open()
    expect(statSync(path).mode & 0o777).toBe(0o666)
    const crowd = await Promise.allSettled([connect(path), connect(path), connect(path)])
    await channel.opened
    channel.send({ type: "end" })
    const heard = () => crowd.map((each) => (each.status === "fulfilled" ? each.value.heard() : "")).filter(Boolean)
    await eventually(() => heard().length > 0)
    await Bun.sleep(50)
    expect(heard()).toEqual(['{"type":"end"}\n'])
    expect(existsSync(path)).toBe(false)
    await expect(connect(path)).rejects.toMatchObject({ code: "ENOENT" })
  })

  test("tells the streams apart, and drops what it does not know", async () => {
    const { channel, path, output } = await open()
    const { socket } = await connect(path)
    const text = new TextEncoder().encode("text")
    for (const kind of [frameKind.stdout, frameKind.stderr, 0, 255]) socket.write(encodeFrame(kind, text))
    socket.end()
    await channel.closed
    expect(output).toEqual([
      ["stdout", "text"],
      ["stderr", "text"],
    ])
  })

  const nonsense = { type: "failed", message: "the container said something that makes no sense" }
  const cases: { given: string; want: unknown }[] = [
    { given: '{"type":"exit","code":7,"outOfMemory":true}', want: { type: "exit", code: 7, outOfMemory: true } },
    { given: '{"type":"exit","code":-1}', want: { type: "exit", code: 1, outOfMemory: false } },
    { given: '{"type":"exit","code":"0"}', want: { type: "exit", code: 1, outOfMemory: false } },
    { given: '{"type":"exit","code":256,"outOfMemory":1}', want: { type: "exit", code: 1, outOfMemory: false } },
    { given: '{"type":"sudo"}', want: nonsense },
    { given: "not JSON", want: nonsense },
    { given: "null", want: nonsense },
    { given: "[]", want: nonsense },
    { given: '{"type":"failed","message":{"a":1}}', want: { type: "failed", message: "[object Object]" } },
  ]
  for (const { given, want } of cases) {
    test(`takes ${given} for an answer only as far as it is one`, async () => {
      const { channel, path, answers } = await open()
      const { socket } = await connect(path)
      socket.write(answerFrame(given))
      socket.end()
      await channel.closed
      expect<unknown[]>(answers).toEqual([want])
    })
  }

  test("ends when a frame claims to be larger than any", async () => {
    const { channel, path, answers } = await open()
    const { socket, closed } = await connect(path)
    socket.write(Uint8Array.from([3, 0xff, 0xff, 0xff, 0xff]))
    await Promise.all([channel.closed, closed])
    expect(answers).toEqual([])
  })
})
