// The command line of a container: every lock there is. tests/harness/container/flags.test.ts holds
// a copy of it, so that none goes missing unnoticed.
import type { EngineProgram } from "./engine-command.ts"

export interface Limits {
  memoryBytes: number
  cpus: number
  pids: number
  timeoutMs: number
  /** How long the clock may stand still besides, at most. */
  stillMs?: number
}

export interface Mount {
  source: string
  target: string
  mode: "ro" | "rw"
}

/** How the first process reaches the harness: at a socket that it is shown, or over its stdin and stdout. */
export type ChannelKind = "socket" | "stdio"

export interface ContainerPlan {
  engine: EngineProgram
  channel?: ChannelKind
  /** What this machine's engine cannot do without. */
  extraFlags: readonly string[]
  /** `uid:gid`. */
  user: string
  name: string
  labels: Record<string, string>
  image: string
  /** The program inside. */
  program: string
  seccompFile: string
  limits: Limits
  mounts: readonly Mount[]
  /** Folders in memory: writable, private, gone with the container. */
  scratches: readonly string[]
  /** The address at which the first process finds the harness. */
  address: string
}

export const nobody = "65534:65534"
const scratchBytes = 64 << 20
const maxFiles = 1024
const maxFileBytes = 1 << 30

/** Arguments of `podman` or `docker` that start the container: in the background, unless they are the channel. */
export function containerFlags(plan: ContainerPlan): string[] {
  const { limits } = plan
  const memory = `${limits.memoryBytes}b`
  return [
    ...["run", plan.channel === "stdio" ? "--interactive" : "--detach", "--rm", "--name", plan.name],
    ...Object.entries(plan.labels).flatMap(([name, value]) => ["--label", `${name}=${value}`]),
    ...["--network", "none", "--ipc", "none", "--cgroupns", "private", "--hostname", "sandbox"],
    ...["--read-only", "--user", plan.user, "--cap-drop", "ALL"],
    ...["--security-opt", "no-new-privileges", "--security-opt", `seccomp=${plan.seccompFile}`],
    // As much with swap as without: there is none.
    ...["--memory", memory, "--memory-swap", memory],
    ...["--cpus", String(limits.cpus), "--pids-limit", String(limits.pids)],
    ...["--ulimit", `nofile=${maxFiles}:${maxFiles}`, "--ulimit", "core=0:0"],
    ...["--ulimit", `fsize=${maxFileBytes}:${maxFileBytes}`],
    ...["--log-driver", "none", "--pull", "never", "--workdir", "/", "--entrypoint", plan.program],
    ...["/tmp", ...plan.scratches].flatMap((folder) => [
      "--tmpfs",
      `${folder}:rw,nosuid,nodev,noexec,size=${scratchBytes},mode=1777`,
    ]),
    ...plan.mounts.flatMap(({ source, target, mode }) => ["--volume", `${source}:${target}:${mode}`]),
    ...(plan.engine.name === "podman" ? podmanFlags(plan) : []),
    ...plan.extraFlags,
    ...[plan.image, "__box", plan.address],
  ]
}

/** What docker does not know, or does anyway. */
function podmanFlags({ limits }: ContainerPlan): string[] {
  // Our own timeout comes first; this one holds when nobody is left to keep it.
  const seconds = Math.ceil((limits.timeoutMs + (limits.stillMs ?? 0)) / 1000) + 10
  return [
    ...["--read-only-tmpfs=false", "--http-proxy=false", "--no-hosts"],
    ...["--stop-timeout", "0", "--timeout", String(seconds)],
  ]
}
