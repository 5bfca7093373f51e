// Containers that were started ahead and wait for one script each. They are found by their folders:
// `warm.<engine>.<key>.<number>`, where the key stands for everything that makes one container unlike another.
// Whoever renames such a folder has it alone. A waiting container knows no script, no token, and no variable but
// those that are the same for all.
import { closeSync, constants, openSync, readdirSync, renameSync, rmSync, statSync, writeSync } from "node:fs"
import { wakeWord } from "../../guest/box-messages.ts"
import { digestOf } from "../../platform/digest.ts"
import { version } from "../../version.ts"
import { engineStamp } from "./engine.ts"
import { askEngine, type EngineProgram, type Environment } from "./engine-command.ts"
import { containerFlags } from "./flags.ts"
import { type BoxPlan, killContainer, launchBox, makeRunPlace, nameOf, type RunPlace, socketFolder } from "./launch.ts"

/** The value of the owner's label: whoever started it is not whose run it will be. */
export const warmOwner = "warm"
/** A container for which nobody has come by then ends by itself. */
export const idleMs = 10 * 60_000
// One that is about to end is nobody's.
const lastMomentMs = 10_000
const pipe = "w"
// An empty pipe takes twice as much at once.
const maxWordBytes = 32 << 10

export interface WaitingPlace {
  directory: string
  engine: EngineProgram["name"]
  key: string
  number: string
  isFresh: boolean
}

/** All that wait, or should: a folder that is not fresh has outlived its container. */
export function listWaiting(runtimeDirectory: string): WaitingPlace[] {
  return readdirSync(runtimeDirectory).flatMap((name) => {
    const [engine, key, number] = /^warm\.(podman|docker)\.([0-9a-f]+)\.(\d+)$/.exec(name)?.slice(1) ?? []
    const directory = `${runtimeDirectory}/${name}`
    const age = Date.now() - (statSync(directory, { throwIfNoEntry: false })?.mtimeMs ?? 0)
    if (key === undefined || number === undefined) return []
    const isFresh = age < idleMs - lastMomentMs
    return [{ directory, engine: engine === "docker" ? "docker" : "podman", key, number, isFresh }]
  })
}

/**
 * What two containers must have in common to be exchangeable: program, engine, every flag, and the very
 * folders that are mounted, not just their paths: a folder that was replaced is another one.
 */
export function keyOf(plan: BoxPlan, env: Environment): string {
  const flags = containerFlags({ ...lasting(plan), name: "", labels: {}, address: "" })
  const folders = plan.mounts.map(({ source }) => {
    const { dev, ino } = statSync(source, { throwIfNoEntry: false }) ?? {}
    return [dev, ino]
  })
  return digestOf(JSON.stringify([version, engineStamp(plan.engine, env), flags, folders])).slice(0, 32)
}

/** Takes one that waits, atomically: nobody else gets it. Undefined when there is none. */
export function takeWaiting(runtimeDirectory: string, key: string): RunPlace | undefined {
  for (const each of listWaiting(runtimeDirectory)) {
    if (each.key !== key || !each.isFresh) continue
    const directory = `${runtimeDirectory}/${process.pid}.${each.number}`
    try {
      renameSync(each.directory, directory)
    } catch {
      continue // somebody was faster
    }
    const wake = openPipe(`${directory}/${pipe}`)
    if (wake !== undefined) return { directory, name: nameOf(each.number), wake }
    rmSync(directory, { recursive: true, force: true })
  }
  return undefined
}

/** Undefined when nobody is at the other end: the container has gone. */
function openPipe(path: string): RunPlace["wake"] {
  let end: number
  try {
    end = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)
  } catch {
    return undefined
  }
  return (run) => {
    const text = JSON.stringify(run)
    const isShort = Buffer.byteLength(text) <= maxWordBytes
    writeSync(end, isShort ? text : wakeWord)
    closeSync(end)
    rmSync(path, { force: true })
    return isShort
  }
}

/** Starts a container and lets it wait. Resolves when it can be taken; throws when it does not come up. */
export async function startWaiting(
  plan: BoxPlan,
  runtimeDirectory: string,
  env: Environment,
  patienceMs = idleMs,
): Promise<void> {
  const key = keyOf(plan, env)
  const place = makeRunPlace(runtimeDirectory)
  try {
    await makePipe(`${place.directory}/${pipe}`, env)
    const handlers = { output: () => {}, answer: () => {} }
    const { channel, started } = await launchBox(lasting(plan), place, env, handlers, warmOwner)
    const ahead = plan.variables === undefined ? {} : { env: plan.variables }
    channel.send({ type: "wait", pipe: `${socketFolder}/${pipe}`, idleMs: patienceMs, ...ahead })
    await channel.closed
    channel.close()
    await started
    // The folders may have been replaced while it was started.
    if (keyOf(plan, env) !== key) throw new Error("the project has changed")
    const number = place.directory.slice(place.directory.lastIndexOf(".") + 1)
    renameSync(place.directory, `${runtimeDirectory}/warm.${plan.engine.name}.${key}.${number}`)
  } catch (error) {
    await killContainer(plan.engine, place.name, env)
    rmSync(place.directory, { recursive: true, force: true })
    throw error
  }
}

/** Ends one that waits, with the engine that has it. False when somebody has taken it. */
export async function endWaiting({ directory, engine, number }: WaitingPlace, env: Environment): Promise<boolean> {
  const ending = `${directory.slice(0, directory.lastIndexOf("/"))}/${process.pid}.${number}`
  try {
    renameSync(directory, ending)
  } catch {
    return false
  }
  await killContainer({ name: engine, path: engine }, nameOf(number), env)
  rmSync(ending, { recursive: true, force: true })
  return true
}

/** Removes what is left of those for which nobody came. */
export async function sweepWaiting(runtimeDirectory: string, env: Environment): Promise<void> {
  for (const waiting of listWaiting(runtimeDirectory)) if (!waiting.isFresh) await endWaiting(waiting, env)
}

/** The engine's own clock starts with the container, not with the script. */
function lasting(plan: BoxPlan): BoxPlan {
  return { ...plan, limits: { ...plan.limits, timeoutMs: idleMs + plan.limits.timeoutMs } }
}

/** Readable for the container, writable for us alone. */
async function makePipe(path: string, env: Environment): Promise<void> {
  const answer = await askEngine({ path: "mkfifo" }, ["-m", "644", path], env)
  if (answer.code !== 0) throw new Error(`no pipe can be made: ${answer.stderr.trim()}`)
}
