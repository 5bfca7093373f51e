// Starts a script in the sandbox: checks that what was asked for can be had here, decides what the
// container sees, and hands both to the harness. Loaded only when a sandbox is wanted.
import type { Attachment } from "../../broker/daemon-client.ts"
import { createEndpoint } from "../../broker/endpoint.ts"
import type { ExecSettings } from "../../config/receipt.ts"
import { bytesOf } from "../../config/size.ts"
import { type ContainerRequest, ImageMissing, planBox, startContainer } from "../../harness/container/container.ts"
import { type Engine, type EngineWish, findEngine } from "../../harness/container/engine.ts"
import { engineEnvironment } from "../../harness/container/engine-command.ts"
import type { Limits } from "../../harness/container/flags.ts"
import {
  type BoxPlan,
  killContainer,
  makeRunPlace,
  type RunPlace,
  removeRunPlace,
  sweepRunPlaces,
} from "../../harness/container/launch.ts"
import { leaveFilling, type WarmPool } from "../../harness/container/pool.ts"
import { sandboxProgram } from "../../harness/container/program.ts"
import { isWithin } from "../../harness/container/script-files.ts"
import { makeView, scratch, type View } from "../../harness/container/view.ts"
import { keyOf, sweepWaiting, takeWaiting } from "../../harness/container/waiting.ts"
import type { Run } from "../../harness/harness.ts"
import { attachRun } from "../daemon/attach.ts"
import type { ExecInput, Notices, StartedScript } from "../start-script.ts"
import { checkStrength, limitsOf, weaknesses } from "./limits.ts"
import { readSandboxConfig } from "./settings.ts"
import { sandboxVariables } from "./variables.ts"

export interface SandboxStart {
  cwd: string
  env: Record<string, string | undefined>
  cache: string
  /** The private folder for sockets. */
  directory: string
  settings: ExecSettings
  notices: Notices | undefined
  /** Of this process, when it stays. */
  pool?: WarmPool | undefined
}

// For the engine's own clock, which knows of no questions and holds when nobody else counts.
const longestStillMs = 60 * 60_000
const longestSessionMs = 24 * 60 * 60_000

/** Starts a script in a container. Throws E_SANDBOX when there is no sandbox to be had. */
export async function startSandboxed(start: SandboxStart, input: ExecInput): Promise<StartedScript> {
  const { env, cwd, cache, directory, settings } = start
  const config = await readSandboxConfig(settings, cwd)
  const limits: Limits = {
    ...limitsOf(config, input.timeoutMs),
    ...(input.clock !== undefined && { stillMs: longestStillMs }),
    // Each snippet has a limit of its own.
    ...(input.mode === "session" && { timeoutMs: longestSessionMs }),
  }
  const program = sandboxProgram(env)
  const wish: EngineWish = {
    runtime: config.runtime,
    env,
    cacheDirectory: cache,
    runtimeDirectory: directory,
    program,
    say: (text) => start.notices?.stderr(`${text}\n`),
  }
  const engine = await findEngine(wish)
  checkStrength(engine, input.allowWeaker === true)
  const view = makeView({
    script: input.script,
    project: settings.directory,
    configFile: settings.file,
    workspace: settings.workspace,
    workspaceMode: input.workspace,
    keepsOwner: engine.extraFlags.includes("--userns"),
  })
  const allowed = { allowed: settings.exec.env, assignments: input.env ?? [] }
  const variables = sandboxVariables(env, { view, engine }, allowed)
  await sweepRunPlaces(engine, directory, env)
  await sweepWaiting(directory, env)
  const image = config.image === undefined ? undefined : { name: config.image, program }
  const longest = { ...limits, timeoutMs: Math.max(limits.timeoutMs, config.maxTimeout * 1000) }
  const plan = planBox({ engine, image, view, limits: longest })
  // Behind the name of a configured image there may be another by now: containers of it are not kept waiting.
  // A container that waits is woken by what it is shown.
  const mayWait = image === undefined && engine.channel === "socket"
  const waiting = mayWait ? takeWaiting(directory, keyOf(plan, env)) : undefined
  const place = waiting ?? makeRunPlace(directory)
  const endpoint = { ...createEndpoint(directory), address: `${place.directory}/b`, sandbox: true }
  // Before the script: it may be over sooner than an answer comes.
  const daemon = await attachRun({ endpoint, directory, settings }, input, env)
  const request: Omit<ContainerRequest, "engine"> = {
    script: input.script,
    args: input.args,
    cwd: isShown(cwd, view) ? cwd : scratch,
    env: { ...variables, MCP_EXEC_TOKEN: endpoint.token, ...(input.capture && { MCP_EXEC_REPORT: "1" }) },
    capture: input.capture ?? false,
    stdin: input.stdin,
    onOutput: input.onOutput,
    mode: input.mode,
    clock: input.clock,
    engineEnv: env,
    image,
    place,
    view,
    limits,
    maxOutputBytes: bytesOf(config.maxOutput),
  }
  const run = await startWith(engine, request, wish).catch(async (error) => {
    daemon?.close()
    await abandon(engine, place, env)
    throw error
  })
  const { finished } = run
  const next = { ...plan, variables: sandboxVariables(env, { view, engine }) }
  if (mayWait) prepareNext(next, start, { daemon, size: config.pool, finished })
  const warnings = [...settings.warnings, ...view.warnings, ...weaknesses(engine)]
  return { run, endpoint, directory, settings: { ...settings, warnings }, daemon }
}

interface Next {
  daemon: Attachment | undefined
  /** How many a single command leaves waiting. */
  size: number
  finished: Promise<unknown>
}

/** Has a container wait for the next run: whoever stays sees to it, this process or a daemon. */
function prepareNext(plan: BoxPlan, { pool, directory, env }: SandboxStart, { daemon, size, finished }: Next): void {
  if (pool !== undefined) pool.use(plan, env)
  else if (daemon !== undefined) daemon.send({ type: "fill", plan, env: engineEnvironment(env) })
  // Without one that waits, the next run starts its own.
  else if (size > 0) setImmediate(() => leaveFilling({ plan, size, directory }, env, finished).catch(() => {}))
}

/** An image that was removed is made again, once. */
async function startWith(engine: Engine, request: Omit<ContainerRequest, "engine">, wish: EngineWish): Promise<Run> {
  try {
    return await startContainer({ ...request, engine })
  } catch (error) {
    if (!(error instanceof ImageMissing)) throw error
    return await startContainer({ ...request, engine: await findEngine({ ...wish, fresh: true }) })
  }
}

/** A container that has been taken and is not used must not wait for ever. */
async function abandon(engine: Engine, place: RunPlace, env: SandboxStart["env"]): Promise<void> {
  if (place.wake !== undefined) await killContainer(engine, place.name, env)
  removeRunPlace(place)
}

function isShown(folder: string, { scratches, mounts }: View): boolean {
  return ["/tmp", ...scratches, ...mounts.map(({ target }) => target)].some((shown) => isWithin(folder, shown))
}
