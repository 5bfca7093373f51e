// A script with one tool call, everything cold: the server is an ordinary npm package on Node. The
// floor is a client that knows nothing but the bytes of this one exchange.
import { join } from "node:path"
import type { Figure, Workplace } from "../job.ts"
import { type Contestant, race, run } from "../measure.ts"
import type { Task } from "../peers/peer.ts"
import { contestantsOf } from "../peers/peers.ts"
import { setTask, who } from "./file-task.ts"

const goal = 1.15
const rounds = 25

export async function coldCall(workplace: Workplace): Promise<Figure[]> {
  const { directory, program } = workplace
  const task = setTask(workplace, { daemon: true })
  const others = contestantsOf(await workplace.peers(), directory, ({ peer, folder }) => peer.cold?.(task, folder))
  const stopDaemon = () => {
    // It may still be on its way.
    Bun.sleepSync(300)
    run([program, "daemon", "stop"], directory)
  }
  try {
    // A receipt is only left for a file that has not just changed.
    await Bun.sleep(500)
    const rows = await race(
      [
        { name: "raw JSON-RPC client", who: who.floor, ...byHand(task, "raw-client.ts", task.bun) },
        ...ours(program, task, stopDaemon),
        {
          name: "script with the SDK, on Bun",
          who: who.sdkOnBun,
          ...byHand(task, "sdk-client.ts", task.bun),
          every: 2,
        },
        {
          name: "script with the SDK, on Node",
          who: who.sdkOnNode,
          ...byHand(task, "sdk-client.ts", task.node),
          every: 2,
        },
        ...others.map((peer) => ({ ...peer, every: 3 })),
      ],
      rounds,
      directory,
    )
    workplace.show({ title: "One tool call, everything cold", column: "one call, cold", rows })
    const [floor, own] = rows
    return [
      {
        name: "cold `exec`, one tool call",
        value: `${own?.ratio.toFixed(2)}× of a raw client (${own?.medianMs.toFixed(0)} ms : ${floor?.medianMs.toFixed(0)} ms)`,
        goal: `≤ ${goal}×`,
        met: (own?.ratio ?? Number.NaN) <= goal,
      },
    ]
  } finally {
    stopDaemon()
  }
}

function ours(program: string, task: Task, stopDaemon: () => void): Contestant[] {
  const { file, text: prints } = task
  const call = ["files.read_text_file", `path=${file}`]
  return [
    {
      name: "`mcp-exec exec --no-daemon`",
      who: who.exec,
      command: [program, "exec", "--no-daemon", "once.ts"],
      prints,
    },
    { name: "`mcp-exec call --no-daemon`", who: who.call, command: [program, "call", "--no-daemon", ...call], prints },
    // It does the call itself, and leaves a daemon for the next.
    { name: "`mcp-exec exec`, the first", command: [program, "exec", "once.ts"], prints, cleanUp: stopDaemon },
  ]
}

function byHand({ node, server, workspace, file, text: prints }: Task, client: string, runtime: string) {
  return { command: [runtime, join(import.meta.dir, client), file, "0", node, server, workspace], prints }
}
