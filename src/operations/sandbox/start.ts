// Starts a script in the sandbox: checks that what was asked for can be had here, decides what the
// container sees, and hands both to the harness. Loaded only when a sandbox is wanted.
import { createEndpoint } from "../../broker/endpoint.ts"
import type { ExecSettings } from "../../config/receipt.ts"
import { bytesOf } from "../../config/size.ts"
import { McpExecError } from "../../errors.ts"
import { type ContainerRequest, ImageMissing, planBox, startContainer } from "../../harness/container/container.ts"
import { type Engine, type EngineWish, findEngine } from "../../harness/container/engine.ts"
import {
  killContainer,
  makeRunPlace,
  type RunPlace,
  removeRunPlace,
  socketFolder,
  sweepRunPlaces,
} from "../../harness/container/launch.ts"
import { createPassingPool, type WarmPool } from "../../harness/container/pool.ts"
import { sandboxProgram } from "../../harness/container/program.ts"
import { isWithin } from "../../harness/container/script-files.ts"
import { makeView, scratch, type View } from "../../harness/container/view.ts"
import { sweepWaiting } from "../../harness/container/waiting.ts"
import { addVariables, scriptEnvironment } from "../../harness/environment.ts"
import type { Run } from "../../harness/harness.ts"
import type { ExecInput, Notices, StartedScript } from "../start-script.ts"
import { checkStrength, limitsOf, weaknesses } from "./limits.ts"
import { readSandboxConfig } from "./settings.ts"

export interface SandboxStart {
  cwd: string
  env: Record<string, string | undefined>
  cache: string
  /** The private folder for sockets. */
  directory: string
  settings: ExecSettings
  notices: Notices | undefined
  /** Of a process that stays; without it the configuration says whether there is one. */
  pool?: WarmPool | undefined
}

/** Starts a script in a container. Throws E_SANDBOX when there is no sandbox to be had. */
export async function startSandboxed(start: SandboxStart, input: ExecInput): Promise<StartedScript> {
  const { env, cwd, cache, directory, settings } = start
  if (input.mode === "session") {
    throw new McpExecError("E_SANDBOX", "A session cannot run in the sandbox", {
      hint: "Run scripts one by one: each has a container of its own.",
    })
  }
  const config = await readSandboxConfig(settings, cwd)
  const limits = limitsOf(config, input.timeoutMs)
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
  const allowed = sandboxEnvironment(start, input)
  await sweepRunPlaces(engine, directory, env)
  await sweepWaiting(directory, env)
  const image = config.image === undefined ? undefined : { name: config.image, program }
  // Behind the name of a configured image there may be another by now: containers of it are not kept waiting.
  const pool = image === undefined ? (start.pool ?? passingPool(config.pool, start)) : undefined
  const longest = { ...limits, timeoutMs: config.maxTimeout * 1000 }
  const place = pool?.take(planBox({ engine, image, view, limits: longest })) ?? makeRunPlace(directory)
  const endpoint = { ...createEndpoint(directory), address: `${place.directory}/b`, mode: 0o666 }
  const variables = {
    PATH: "/usr/local/bin:/usr/bin:/bin",
    HOME: "/tmp",
    ...allowed,
    MCP_EXEC_WORKSPACE: view.workspace,
    MCP_EXEC_SCRATCH: scratch,
    MCP_EXEC_BROKER: `${socketFolder}/b`,
    MCP_EXEC_TOKEN: endpoint.token,
    ...(input.capture && { MCP_EXEC_REPORT: "1" }),
  }
  const request: Omit<ContainerRequest, "engine"> = {
    script: input.script,
    args: input.args,
    cwd: isShown(cwd, view) ? cwd : scratch,
    env: variables,
    capture: input.capture ?? false,
    stdin: input.stdin,
    onOutput: input.onOutput,
    engineEnv: env,
    image,
    place,
    view,
    limits,
    maxOutputBytes: bytesOf(config.maxOutput),
  }
  const run = await startWith(engine, request, wish).catch(async (error) => {
    await abandon(engine, place, env)
    throw error
  })
  if (start.pool === undefined) void run.finished.then(() => pool?.close())
  const warnings = [...settings.warnings, ...view.warnings, ...weaknesses(engine)]
  return { run, endpoint, directory, settings: { ...settings, warnings } }
}

function passingPool(size: number, { directory, env }: SandboxStart): WarmPool | undefined {
  return size > 0 ? createPassingPool({ size, directory, env }) : undefined
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

/** Only what was allowed by name: paths of the host mean nothing inside, and its settings are not the script's. */
function sandboxEnvironment({ env, settings }: SandboxStart, input: ExecInput): Record<string, string> {
  const own = Object.entries(env).filter(([name]) => !/^(PATH|HOME|MCP_EXEC_.*)$/.test(name))
  const variables = scriptEnvironment(Object.fromEntries(own), settings.exec.env)
  addVariables(variables, input.env ?? [], env)
  return variables
}

function isShown(folder: string, { scratches, mounts }: View): boolean {
  return ["/tmp", ...scratches, ...mounts.map(({ target }) => target)].some((shown) => isWithin(folder, shown))
}
