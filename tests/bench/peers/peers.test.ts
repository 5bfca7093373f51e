import { expect, test } from "bun:test"
import { tmpdir } from "node:os"
import type { Peer, Task } from "../../../bench/peers/peer.ts"
import { contestantsOf, type Peers, startKeepers } from "../../../bench/peers/peers.ts"

const directory = tmpdir()
const task: Task = { directory, node: "", bun: "", server: "", workspace: "", file: "", text: "hello" }
const print = (code: string) => [process.execPath, "-e", code]

function installed(...peers: Omit<Peer, "packages">[]): Peers {
  const all = peers.map((peer) => ({ peer: { packages: [], ...peer }, folder: directory, versions: [] }))
  return { installed: all, missing: [] }
}

test("a peer that fails at its rehearsal is left out, with the reason and without paths", () => {
  const good = { name: "good", command: print('console.log("hello")'), prints: "hello" }
  const bad = {
    name: "bad",
    command: print('console.error("no /home/me/file, see https://example.com/a"); process.exit(2)'),
  }
  const peers = installed(
    { name: "bad", cold: () => bad },
    { name: "good", cold: () => good },
    { name: "never", warm: () => ({ contestant: good, stop() {} }) },
  )
  expect(contestantsOf(peers, directory, ({ peer, folder }) => peer.cold?.(task, folder))).toEqual([good])
  expect(peers.missing).toEqual([{ name: "bad", reason: "bad failed with 2: no …, see https://example.com/a" }])
})

test("one that cannot keep a server is stopped and left out, and one that does not stop stops nobody else", () => {
  const stopped: string[] = []
  const contestant = { name: "any", command: print('console.log("hello")') }
  const peers = installed(
    { name: "bad", warm: () => ({ contestant: { ...contestant, prints: "bye" }, stop: () => stopped.push("bad") }) },
    {
      name: "stubborn",
      warm: () => ({
        contestant,
        stop() {
          throw new Error("no")
        },
      }),
    },
    { name: "good", warm: () => ({ contestant, stop: () => stopped.push("good") }) },
  )
  const keepers = startKeepers(peers, task)
  expect(keepers).toHaveLength(2)
  expect(peers.missing.map(({ name }) => name)).toEqual(["bad"])
  for (const { stop } of keepers) stop()
  expect(stopped).toEqual(["bad", "good"])
})
