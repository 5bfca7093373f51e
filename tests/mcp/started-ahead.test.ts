import { expect, test } from "bun:test"
import { StartedAhead } from "../../src/mcp/started-ahead.ts"
import type { StdioCommand } from "../../src/mcp/stdio-transport.ts"
import { Guard } from "../../src/platform/guard.ts"
import { eventually } from "../fixtures/eventually.ts"
import { isRunning, waitForEnd } from "../fixtures/project.ts"
import { temporaryDirectory } from "./manager-fixture.ts"

/** Prints a line that is no message and its pid to a file, and waits for the end of its input. */
function commandIn(directory: string, env: Record<string, string> = {}): StdioCommand {
  const script = "echo hello; echo $$ > pid; cat > /dev/null"
  return { command: ["/bin/sh", "-c", script], cwd: directory, env: { PATH: "/usr/bin:/bin", ...env } }
}

const pidIn = (directory: string) =>
  eventually(async () =>
    Number(
      await Bun.file(`${directory}/pid`)
        .text()
        .catch(() => "0"),
    ),
  )

test("a process is given to whoever would start just the same, once, with what it has printed", async () => {
  using directory = temporaryDirectory()
  const [guard, ahead] = [new Guard(), new StartedAhead()]
  ahead.start(commandIn(directory.path, { A: "1", B: "2" }), guard)
  const pid = await pidIn(directory.path)
  const junk: string[] = []
  let ended = 0
  const options = { guard, onJunk: (line: string) => void junk.push(line), onEnded: () => void ended++ }
  expect(ahead.take(commandIn(directory.path, { A: "1" }), options)).toBeUndefined()
  expect(ahead.take({ ...commandIn(directory.path), cwd: "/" }, options)).toBeUndefined()
  const child = ahead.take(commandIn(directory.path, { B: "2", A: "1" }), options)
  expect(ahead.take(commandIn(directory.path, { A: "1", B: "2" }), options)).toBeUndefined()
  await eventually(() => junk.length > 0)
  expect(junk).toEqual(["hello"])
  await ahead.close()
  expect(await isRunning(pid)).toBe(true)
  await child?.close()
  await waitForEnd(pid)
  expect(ended).toBe(1)
  await guard.close()
})

test("a process that nobody takes is ended", async () => {
  using directory = temporaryDirectory()
  const [guard, ahead] = [new Guard(), new StartedAhead()]
  ahead.start(commandIn(directory.path), guard)
  const pid = await pidIn(directory.path)
  await ahead.close()
  await waitForEnd(pid)
  await guard.close()
})
