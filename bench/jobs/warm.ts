// One tool call with everything warm: a daemon holds the server, an ordinary npm package on Node. The
// floor is a client that sends one line to a socket and prints the answer; behind that is the same server.
import { join } from "node:path"
import type { Figure, Workplace } from "../job.ts"
import { race, racePrinted, run, type Timing } from "../measure.ts"
import type { Task } from "../peers/peer.ts"
import { contestantsOf, type Peers, startKeepers } from "../peers/peers.ts"
import { setTask, who } from "./file-task.ts"

const rounds = 100
const callGoal = 2.0
const execGoal = 2.5
const peerGoal = 10
const sequence = 100
const sequenceRounds = 10
const eachGoalMs = 1
const sequenceGoal = 1.5

export async function warm(workplace: Workplace): Promise<Figure[]> {
  const { directory, program, bun } = workplace
  const task = setTask(workplace, { daemon: true, warm: ["files", "embedded"] })
  const peers = await workplace.peers()
  const address = join(directory, "floor.sock")
  const floorFile = join(import.meta.dir, "warm-floor.ts")
  const floor = Bun.spawn([bun, floorFile, address, task.node, task.server, task.workspace])
  const kept = startKeepers(peers, task)
  try {
    // A receipt is only left for a file that has not just changed.
    await Bun.sleep(500)
    run([program, "daemon", "start"], directory)
    await Bun.sleep(1000)
    const { file, text: prints } = task
    const rows = await race(
      [
        {
          name: "raw client",
          who: who.floor,
          command: [bun, join(import.meta.dir, "warm-client.ts"), address, file],
          prints,
        },
        {
          name: "`mcp-exec call`",
          who: who.call,
          command: [program, "call", "files.read_text_file", `path=${file}`],
          prints,
        },
        { name: "`mcp-exec exec`", who: who.exec, command: [program, "exec", "once.ts"], prints },
        ...kept.map(({ contestant }) => contestant),
      ],
      rounds,
      directory,
    )
    workplace.show({ title: "One tool call, everything warm", column: "one call, warm", rows })
    return [...singleCalls(rows), await callsInSequence(workplace, task, peers), await callsToEmbedded(workplace, task)]
  } finally {
    floor.kill()
    for (const { stop } of kept) stop()
    run([program, "daemon", "stop"], directory)
  }
}

function singleCalls(rows: Timing[]): Figure[] {
  const [floor, call, exec, ...others] = rows as [Timing, Timing, Timing, ...Timing[]]
  const against = ({ medianMs, ratio }: Timing) =>
    `${ratio.toFixed(2)}× of a raw client (${medianMs.toFixed(1)} ms : ${floor.medianMs.toFixed(1)} ms)`
  const name = "warm `exec` against the best peer's warm call"
  const goal = `≥ ${peerGoal}× faster`
  const [best] = others.sort((a, b) => a.medianMs - b.medianMs)
  const faster = (best?.medianMs ?? Number.NaN) / exec.medianMs
  return [
    { name: "warm `exec`, one tool call", value: against(exec), goal: `≤ ${execGoal}×`, met: exec.ratio <= execGoal },
    best === undefined
      ? { name, goal, skipped: "no peer that keeps servers could be had" }
      : {
          name,
          value: `${faster.toFixed(1)}× faster than ${best.name} (${exec.medianMs.toFixed(1)} ms : ${best.medianMs.toFixed(0)} ms)`,
          goal,
          met: faster >= peerGoal,
        },
    { name: "warm `call`", value: against(call), goal: `≤ ${callGoal.toFixed(1)}×`, met: call.ratio <= callGoal },
  ]
}

/** What a further call costs a script that runs. Two who talk to the server themselves are the floor. */
async function callsInSequence({ directory, program, show }: Workplace, task: Task, peers: Peers): Promise<Figure> {
  const { node, bun, server, workspace, file } = task
  const byHand = (client: string, runtime: string) => {
    return [runtime, join(import.meta.dir, client), file, String(sequence), node, server, workspace]
  }
  const others = contestantsOf(peers, directory, ({ peer, folder }) => peer.calls?.(task, folder, sequence))
  const rows = await racePrinted(
    [
      { name: "raw JSON-RPC client, its own server", who: who.floor, command: byHand("raw-client.ts", bun) },
      {
        name: "`mcp-exec exec`, the daemon's server",
        who: who.exec,
        command: [program, "exec", "often.ts", String(sequence)],
      },
      {
        name: "script with the SDK on Node, its own server",
        who: who.sdkOnNode,
        command: byHand("sdk-client.ts", node),
        every: 2,
      },
      ...others.map((peer) => ({ ...peer, every: 2 })),
    ],
    sequenceRounds,
    directory,
  )
  show({
    title: `${sequence} tool calls one after the other in one script: each`,
    column: `each of ${sequence} calls`,
    rows,
  })
  const [floor, ours] = rows
  // How long the server takes is not ours: alone it may take more than a millisecond.
  const ratio = ours?.ratio ?? Number.NaN
  return {
    name: `${sequence} sequential calls in one script, warm, npm server on Node`,
    value: `${ratio.toFixed(2)}× of a raw client (${inMs(ours)} : ${inMs(floor)} each)`,
    goal: `≤ ${sequenceGoal}×`,
    met: ratio <= sequenceGoal,
  }
}

/** The same with the server that comes with the program, which the default configuration has. */
async function callsToEmbedded({ directory, program, bun, show }: Workplace, task: Task): Promise<Figure> {
  const { workspace, file } = task
  const raw = [bun, join(import.meta.dir, "raw-client.ts"), file, String(sequence)]
  const rows = await racePrinted(
    [
      {
        name: "raw JSON-RPC client, its own embedded server",
        command: [...raw, program, "__serve", "filesystem", workspace],
      },
      {
        name: "`mcp-exec exec`, the daemon's embedded server",
        command: [program, "exec", "often.ts", String(sequence), "embedded"],
      },
    ],
    sequenceRounds,
    directory,
  )
  show({ title: `${sequence} tool calls to the embedded filesystem server, one after the other: each`, rows })
  const [floor, ours] = rows
  return {
    name: `${sequence} sequential calls in one script, warm, embedded server`,
    value: `${inMs(ours)} each (a raw client has ${inMs(floor)})`,
    goal: `≤ ${eachGoalMs} ms each`,
    met: (ours?.medianMs ?? Number.NaN) <= eachGoalMs,
  }
}

function inMs(timing: Timing | undefined): string {
  return `${timing?.medianMs.toFixed(2)} ms`
}
