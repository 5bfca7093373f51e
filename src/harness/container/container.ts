// The sandbox: a script in a container that can reach nothing but the broker. A fresh container for
// every run. It knows the broker only as a socket and a token, and trusts nothing that comes out of
// the container: output is bytes, an exit code is a number.

import { McpExecError } from "../../errors.ts"
import type { BoxAnswer, BoxRun } from "../../guest/box-messages.ts"
import { connectPatiently } from "../../guest/channel.ts"
import { isRelayed, Relay } from "../../guest/relay.ts"
import { TimeLimits } from "../../platform/time-limits.ts"
import type { Run, RunOutcome, RunRequest } from "../harness.ts"
import type { Engine } from "./engine.ts"
import { askEngine, type Environment } from "./engine-command.ts"
import type { Limits, Mount } from "./flags.ts"
import { feedInput, piecesOf } from "./input.ts"
import {
  type BoxPlan,
  killContainer,
  type LaunchedBox,
  LaunchFailure,
  launchBox,
  type RunPlace,
  removeRunPlace,
  wakeBox,
} from "./launch.ts"
import { Output } from "./output.ts"
import { programInside } from "./program.ts"
import { collectScriptFiles } from "./script-files.ts"
import type { View } from "./view.ts"

export interface ContainerRequest extends PlanRequest, Omit<RunRequest, "timeoutMs" | "directory"> {
  engineEnv: Environment
  place: RunPlace
  maxOutputBytes: number
}

export interface PlanRequest {
  engine: Engine
  /** A configured image, with our program mounted into it; ours when absent. */
  image?: { name: string; program: string } | undefined
  view: View
  limits: Limits
}

/** Where a script finds the broker when no socket can be shown. */
export const relayedBroker = "/tmp/.mcp-exec-broker"
// How long the container's first process has to end everything before the engine is asked to.
const endsWithinMs = 1000

/** Starts a script in a container. Throws E_SANDBOX when the container does not come up. */
export async function startContainer(request: ContainerRequest): Promise<Run> {
  const startedAt = performance.now()
  const { engine, engineEnv, place, view } = request
  // A session prints for as long as it lives; whoever listens keeps what they need.
  const isSession = request.mode === "session"
  const state: State = { outcome: undefined, timedOut: false, told: Promise.withResolvers() }
  const files = collectScriptFiles(request.script, {
    root: view.root,
    mounted: view.mounts.map(({ target }) => target),
  })
  let box: LaunchedBox | undefined
  const output = new Output({
    capture: request.capture,
    onOutput: request.onOutput,
    isForgotten: isSession,
    maxBytes: isSession ? Number.POSITIVE_INFINITY : request.maxOutputBytes,
    onCut: () => box?.channel.send({ type: "cut" }),
    pause: () => box?.channel.pause(),
    resume: () => box?.channel.resume(),
  })
  const input = feedInput((message) => box?.channel.send(message), (request.stdin ?? "inherit") === "inherit")
  // Where no socket can be shown, connections to the broker come over the channel.
  const relay = new Relay(
    (message) => box?.channel.send(message),
    (handlers) => connectPatiently(`${place.directory}/b`, handlers),
  )
  const answer = (given: BoxAnswer) => {
    if (isRelayed(given)) relay.receive(given)
    else if (given.type === "input-wanted") input.wanted()
    else if (given.type === "input-taken") input.taken()
    else {
      state.outcome ??= given
      state.told.resolve()
    }
  }
  const { script, args, cwd, env } = request
  const hasInput = input.isThere || request.stdin === "pipe"
  const run: BoxRun = {
    type: "run",
    files,
    script,
    args,
    cwd,
    env,
    input: hasInput,
    isSession,
    ...(engine.channel === "stdio" && { broker: relayedBroker }),
  }
  const plan = planBox(request)
  const handlers = { output: (stream: "stdout" | "stderr", bytes: Uint8Array) => output.take(stream, bytes), answer }
  try {
    if (place.wake !== undefined) {
      box = await wakeBox(place, run, handlers)
      // It has died in its sleep: another takes its place.
      if (box === undefined) await killContainer(engine, place.name, engineEnv)
    }
    box ??= await launchBox(plan, place, engineEnv, handlers)
  } catch (error) {
    const problem = await launchError(error, engine, plan.image, engineEnv)
    if (!(problem instanceof ImageMissing)) removeRunPlace(place)
    throw problem
  }
  const { channel } = box
  const end = () => {
    state.ending ??= endBox(channel, request)
  }
  if (!box.knowsRun) channel.send(run)
  const { clock = new TimeLimits() } = request
  return {
    clock,
    async write(text) {
      for (const data of piecesOf(text)) channel.send({ type: "input", data })
    },
    finished: finish(box, { ...request, clock }, state, { output, startedAt, end }).finally(() => {
      input.stop()
      relay.close()
    }),
    signal: (name) => (name === "SIGKILL" ? end() : channel.send({ type: "signal", name })),
  }
}

/** Ends everything in the container: its first process does, or else the engine. */
async function endBox(channel: LaunchedBox["channel"], request: ContainerRequest): Promise<void> {
  const { engine, engineEnv, place } = request
  channel.send({ type: "end" })
  const isGone = await Promise.race([channel.closed.then(() => true), sleep(endsWithinMs)])
  if (!isGone) await killContainer(engine, place.name, engineEnv)
  channel.close()
}

/** What a container is like, as far as it does not depend on the script. */
export function planBox({ engine, image, view, limits }: PlanRequest): BoxPlan {
  const mounts: Mount[] = image === undefined ? [] : [{ source: image.program, target: programInside, mode: "ro" }]
  const { name, path, extraFlags, channel, seccompFile } = engine
  return {
    engine: { name, path },
    extraFlags,
    channel,
    user: view.user,
    image: image?.name ?? engine.image,
    program: programInside,
    seccompFile,
    limits,
    mounts: [...view.mounts, ...mounts],
    scratches: view.scratches,
  }
}

interface State {
  outcome: BoxAnswer | undefined
  timedOut: boolean
  /** The first process has told how it ended: everything else in the container has ended before. */
  told: PromiseWithResolvers<void>
  /** It was not left to end by itself. */
  ending?: Promise<void>
}

async function finish(
  { channel, started }: LaunchedBox,
  { limits, clock, place }: ContainerRequest & { clock: TimeLimits },
  state: State,
  { output, startedAt, end }: { output: Output; startedAt: number; end: () => void },
): Promise<RunOutcome> {
  const limit = clock.start(limits.timeoutMs, undefined)
  limit.signal.addEventListener("abort", () => {
    state.timedOut = true
    end()
  })
  await Promise.race([channel.closed, state.told.promise])
  limit.end()
  channel.close()
  await state.ending
  await started
  await output.flush()
  removeRunPlace(place)
  return {
    ...ending(state, limits),
    durationMs: performance.now() - startedAt,
    stdout: output.text("stdout"),
    stderr: output.text("stderr"),
  }
}

/** How it ended, in the terms of every harness. */
function ending(
  { outcome, timedOut }: State,
  { timeoutMs, memoryBytes }: Limits,
): Pick<RunOutcome, "exitCode" | "timedOut" | "problem"> {
  if (timedOut) {
    const message = `The script was stopped after ${timeoutMs / 1000} s: it ran into its timeout`
    const hint = "Give it longer with --timeout SECONDS, up to sandbox.maxTimeout of the configuration."
    return { exitCode: 124, timedOut, problem: { code: "E_SCRIPT_TIMEOUT", message, hint } }
  }
  const limit = `${memoryBytes / (1 << 20)} MB`
  const memoryHint = "Let it use less at a time, or raise sandbox.memory in the configuration."
  if (outcome?.type === "exit") {
    if (!outcome.outOfMemory) return { exitCode: outcome.code, timedOut }
    const message = `The script was killed: it used more memory than its limit of ${limit}`
    return { exitCode: 137, timedOut, problem: { code: "E_SCRIPT_MEMORY", message, hint: memoryHint } }
  }
  if (outcome?.type === "failed") {
    return { exitCode: 5, timedOut, problem: { code: "E_SANDBOX", message: `In the container: ${outcome.message}` } }
  }
  const message = `The container was killed, probably because it used more memory than its limit of ${limit}`
  return { exitCode: 137, timedOut, problem: { code: "E_SCRIPT_MEMORY", message, hint: memoryHint } }
}

/** The image has been removed since the engine was tried out. For the caller to mend: the run's place is kept. */
export class ImageMissing extends Error {
  override readonly name = "ImageMissing"
}

async function launchError(error: unknown, engine: Engine, image: string, env: Environment): Promise<unknown> {
  if (!(error instanceof LaunchFailure)) return error
  const { code } = await askEngine(engine, ["image", "inspect", "--format", "{{.Id}}", image], env)
  if (code !== 0 && image === engine.image) return new ImageMissing(image)
  if (code !== 0) {
    return new McpExecError("E_SANDBOX", `${engine.name} has no image ${image}, which sandbox.image names`, {
      hint: `${engine.name} pull ${image}`,
    })
  }
  const hint =
    image === engine.image
      ? "See: mcp-exec sandbox status"
      : `The image ${image} must hold the C library that mcp-exec needs.`
  return new McpExecError("E_SANDBOX", `${engine.name} could not start the container: ${error.message}`, { hint })
}

function sleep(milliseconds: number): Promise<false> {
  return new Promise((resolve) => setTimeout(() => resolve(false), milliseconds))
}
