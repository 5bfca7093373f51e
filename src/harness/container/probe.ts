// What an engine can do on this machine, found out by doing it: a rehearsal with all the flags of a
// real run, and one container that must not survive. What engines say of themselves is not enough:
// podman names a runtime that cannot run here, and without root it may ignore limits and say nothing.

import { McpExecError } from "../../errors.ts"
import type { BoxAnswer, BoxFacts } from "../../guest/box-messages.ts"
import { askEngine, complaintOf, type EngineProgram, type Environment } from "./engine-command.ts"
import { type ChannelKind, type Limits, nobody } from "./flags.ts"
import { killContainer, LaunchFailure, launchBox, makeRunPlace, removeRunPlace, SilentBox } from "./launch.ts"
import { programInside } from "./program.ts"

export const locks = [
  "memory",
  "pids",
  "cpus",
  "seccomp",
  "capabilities",
  "privileges",
  "read-only",
  "network",
] as const
export type Lock = (typeof locks)[number]

export interface EngineAbilities {
  version: string
  rootless: boolean
  cgroups: string
  extraFlags: string[]
  /** Over what a container is spoken to here. */
  channel: ChannelKind
  /** What is not enforced here, although asked for. */
  missing: Lock[]
}

export interface ProbeOptions {
  env: Environment
  image: string
  seccompFile: string
  runtimeDirectory: string
}

const rehearsed: Limits = { memoryBytes: 256 << 20, cpus: 0.5, pids: 64, timeoutMs: 20_000 }
const small: Limits = { ...rehearsed, memoryBytes: 128 << 20 }
const eatBytes = 512 << 20

/** Tries the engine out. Throws E_SANDBOX with the engine's complaint when no way of using it works. */
export async function probeEngine(
  engine: EngineProgram,
  about: EngineDescription,
  options: ProbeOptions,
): Promise<EngineAbilities> {
  const complaints: string[] = []
  let isSilent = false
  for (const way of waysToRun(engine, about)) {
    // Only a container that was started and did not call may do so another way.
    if (way.channel === "stdio" && !isSilent) continue
    try {
      const facts = await rehearse(engine, way, rehearsed, options)
      if (facts === undefined) continue
      const survivor = await rehearse(engine, way, small, options, eatBytes)
      const { selinux: _, ...rest } = about
      return { ...rest, ...way, missing: missingLocks(facts, survivor !== undefined) }
    } catch (error) {
      if (!(error instanceof LaunchFailure)) throw error
      complaints.push(error.message)
      isSilent = error instanceof SilentBox
    }
  }
  throw unusable(engine, complaints[0] ?? "the container ended at once")
}

export interface EngineDescription {
  version: string
  rootless: boolean
  cgroups: string
  selinux: boolean
}

/** What an engine says of itself. Throws E_SANDBOX when it does not answer. */
export async function describeEngine(engine: EngineProgram, env: Environment): Promise<EngineDescription> {
  const template =
    engine.name === "podman"
      ? "{{.Version.Version}}|{{.Host.Security.Rootless}}|{{.Host.CgroupsVersion}}|{{.Host.Security.SELinuxEnabled}}"
      : "{{.ServerVersion}}|{{json .SecurityOptions}}|v{{.CgroupVersion}}|{{json .SecurityOptions}}"
  const answer = await askEngine(engine, ["info", "--format", template], env)
  const [version = "", rootless = "", cgroups = "", selinux = ""] = answer.stdout.trim().split("|")
  if (answer.code !== 0 || version === "") throw unusable(engine, complaintOf(answer))
  return { version, rootless: /true|rootless/.test(rootless), cgroups, selinux: /true|selinux/.test(selinux) }
}

type Way = Pick<EngineAbilities, "extraFlags" | "channel">

/** In the order of how little they change. */
function waysToRun({ name }: EngineProgram, { rootless, selinux }: EngineDescription): Way[] {
  // The user's own files stay readable, and what is written belongs to the user.
  const users = name === "podman" && rootless ? [["--userns", "keep-id:uid=65534,gid=65534"], []] : [[]]
  // Where the engine's own defaults for these are refused by the kernel.
  const processes = ["--ulimit", "nproc=4096:4096"]
  const runtimes =
    name === "podman" ? [[], processes, ["--runtime", "runc"], ["--runtime", "runc", ...processes]] : [[]]
  const flags = users.flatMap((user) => runtimes.map((runtime) => [...user, ...runtime]))
  return flags.flatMap((extraFlags) => {
    const plain: Way = { extraFlags, channel: "socket" }
    if (!selinux) return [plain, { extraFlags, channel: "stdio" }]
    // A policy that keeps containers away from the socket, and from the project's folders.
    const open = [...extraFlags, "--security-opt", "label=disable"]
    return [plain, { extraFlags: open, channel: "socket" }, { extraFlags: open, channel: "stdio" }]
  })
}

/** Undefined when the container ended without an answer. */
async function rehearse(
  engine: EngineProgram,
  way: Way,
  limits: Limits,
  { env, image, seccompFile, runtimeDirectory }: ProbeOptions,
  bytes = 0,
): Promise<BoxFacts | undefined> {
  const place = makeRunPlace(runtimeDirectory)
  let facts: BoxFacts | undefined
  const answer = (given: BoxAnswer) => {
    if (given.type === "facts") facts = given.facts
  }
  try {
    const plan = { engine, ...way, user: nobody, image, program: programInside, seccompFile, limits }
    const { channel, started } = await launchBox({ ...plan, mounts: [], scratches: ["/workspace"] }, place, env, {
      output: () => {},
      answer,
    })
    channel.send({ type: "inspect", eatBytes: bytes })
    await Promise.race([channel.closed, new Promise((resolve) => setTimeout(resolve, limits.timeoutMs))])
    channel.close()
    await started
    await killContainer(engine, place.name, env)
    return facts
  } finally {
    removeRunPlace(place)
  }
}

function missingLocks(facts: BoxFacts, survivedMemory: boolean): Lock[] {
  const holds: Record<Lock, boolean> = {
    memory: !survivedMemory,
    pids: facts.pids !== null && facts.pids <= rehearsed.pids,
    cpus: facts.cpus !== null && facts.cpus <= rehearsed.cpus,
    seccomp: facts.seccomp,
    capabilities: !facts.capabilities,
    privileges: facts.noNewPrivileges,
    "read-only": facts.rootIsReadOnly,
    network: !facts.hasNetwork,
  }
  return locks.filter((lock) => !holds[lock])
}

function unusable({ name }: EngineProgram, reason: string): McpExecError {
  return new McpExecError("E_SANDBOX", `${name} is installed but cannot run a container: ${reason}`, {
    hint:
      name === "docker" ? "Start the Docker daemon, and check that you may use it." : "Run `podman info` to see why.",
  })
}
