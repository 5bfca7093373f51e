// One container, from its flags to the first process' call home. Used for runs, for rehearsals and for
// those that are to wait. Its folder tells whose it is: `<process>.<number>` belongs to a process of ours.
import { chmodSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { type BoxRun, standardStreams } from "../../guest/box-messages.ts"
import { type Answer, askEngine, complaintOf, type EngineProgram, type Environment } from "./engine-command.ts"
import { type ContainerPlan, containerFlags } from "./flags.ts"
import { type BoxLink, type ChannelHandlers, HostChannel } from "./host-channel.ts"
import { StdioChannel } from "./stdio-channel.ts"

/** Where the sockets' folder is inside. */
export const socketFolder = "/run/mcp-exec"
/** Every container of ours has these labels: the process that started it, and the folder of its place. */
export const ownerLabel = "mcp-exec"
export const folderLabel = "mcp-exec-folder"

// From the engine's word that it has been started to its own.
const callsWithinMs = 5000
// Where the engine does not say when it has.
const startsWithinMs = 60_000

export interface RunPlace {
  /** A folder for the sockets of one run, inside one that only this user may enter. */
  directory: string
  /** Of the container. */
  name: string
  /** Of a container that waits already: lets it call. True when it has been told of the run, too. */
  wake?: (run: BoxRun) => boolean
}

export interface LaunchedBox {
  channel: BoxLink
  /** Settles when the engine's command that started it is over. */
  started: Promise<unknown>
  /** It has been told what to run. */
  knowsRun?: boolean
}

/** Why a container did not come up. */
export class LaunchFailure extends Error {
  override readonly name: string = "LaunchFailure"
}

/** The container was started, but nobody has called from it. */
export class SilentBox extends LaunchFailure {
  override readonly name = "SilentBox"

  constructor() {
    super("its first process did not call")
  }
}

/** Makes the folder of one run. Its name begins with our process, so that others can tell when it is stale. */
export function makeRunPlace(runtimeDirectory: string): RunPlace {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1))
  const directory = `${runtimeDirectory}/${process.pid}.${random}`
  mkdirSync(directory, { mode: 0o711 })
  // Inside, another user must be able to pass; whoever is outside cannot enter the folder around it.
  chmodSync(directory, 0o711)
  return { directory, name: nameOf(random) }
}

/** The name of the container whose place has this number. */
export function nameOf(number: string | number): string {
  return `mcp-exec-${number}`
}

/** Ends what killed processes of ours have left in a folder of runs, and removes their places. */
export async function sweepRunPlaces(engine: EngineProgram, runtimeDirectory: string, env: Environment): Promise<void> {
  for (const name of readdirSync(runtimeDirectory)) {
    const [pid, random] = /^(\d+)\.(\d+)$/.exec(name)?.slice(1) ?? []
    const directory = `${runtimeDirectory}/${name}`
    if (pid === undefined || random === undefined || isAlive(Number(pid)) || !isFolder(directory)) continue
    await killContainer(engine, nameOf(random), env)
    rmSync(directory, { recursive: true, force: true })
  }
}

/** True while there is such a process, whoever owns it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

export function removeRunPlace({ directory }: RunPlace): void {
  rmSync(directory, { recursive: true, force: true })
}

export interface BoxPlan extends Omit<ContainerPlan, "name" | "labels" | "address"> {
  /** What every script in it gets, whatever the run; for those that wait. Nothing that is to be kept from anybody. */
  variables?: Record<string, string>
}

/** Starts a container and resolves when its first process has called. Throws a LaunchFailure. */
export async function launchBox(
  plan: BoxPlan,
  place: RunPlace,
  env: Environment,
  handlers: ChannelHandlers,
  owner = String(process.pid),
): Promise<LaunchedBox> {
  const labels = { [ownerLabel]: owner, [folderLabel]: dirname(place.directory) }
  const named = { ...plan, name: place.name, labels }
  if (plan.channel === "stdio") {
    return await launchAttached(plan, containerFlags({ ...named, address: standardStreams }), place, env, handlers)
  }
  const channel = new HostChannel(`${place.directory}/c`, handlers)
  await channel.listen()
  const flags = containerFlags({
    ...named,
    mounts: [...plan.mounts, { source: place.directory, target: socketFolder, mode: "ro" }],
    address: `${socketFolder}/c`,
  })
  const started = askEngine(plan.engine, flags, env)
  const failure = await Promise.race([channel.opened, started.then(afterStart)])
  if (failure === undefined) return { channel, started }
  channel.close()
  await killContainer(plan.engine, place.name, env)
  throw failure

  async function afterStart(answer: Answer): Promise<LaunchFailure | undefined> {
    if (answer.code !== 0) return new LaunchFailure(complaintOf(answer))
    return await Promise.race([channel.opened.then(() => undefined), silence()])
  }
}

/** The engine's own process stays, and carries the channel. */
async function launchAttached(
  { engine }: BoxPlan,
  flags: string[],
  { name }: RunPlace,
  env: Environment,
  handlers: ChannelHandlers,
): Promise<LaunchedBox> {
  const channel = new StdioChannel()
  await channel.start(engine, flags, env, handlers)
  const ended = channel.ended.then((answer) => new LaunchFailure(complaintOf(answer)))
  const failure = await Promise.race([channel.opened, ended, silence(startsWithinMs)])
  if (failure === undefined) return { channel, started: channel.ended }
  channel.close()
  await killContainer(engine, name, env)
  throw failure
}

/** Has a container that waits at this place call, for a run. Undefined when it does not. */
export async function wakeBox(
  place: RunPlace,
  run: BoxRun,
  handlers: ChannelHandlers,
): Promise<LaunchedBox | undefined> {
  const channel = new HostChannel(`${place.directory}/c`, handlers)
  await channel.listen()
  try {
    const knowsRun = place.wake?.(run) ?? false
    const failure = await Promise.race([channel.opened, silence()])
    if (failure === undefined) return { channel, started: Promise.resolve(), knowsRun }
  } catch {
    // It has ended this very moment.
  }
  channel.close()
  return undefined
}

/** Ends a container by its name, whatever it is doing. One that is gone already is fine. */
export async function killContainer(engine: EngineProgram, name: string, env: Environment): Promise<void> {
  await askEngine(engine, ["rm", "--force", name], env)
}

function silence(withinMs = callsWithinMs): Promise<SilentBox> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(new SilentBox()), withinMs)
    timer.unref?.()
  })
}
