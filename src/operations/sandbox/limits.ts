// From the limits of the configuration to those of one run, and whether this machine can keep them.

import type { SandboxConfig } from "../../config/schema.ts"
import { bytesOf } from "../../config/size.ts"
import { McpExecError } from "../../errors.ts"
import type { Engine } from "../../harness/container/engine.ts"
import type { Limits } from "../../harness/container/flags.ts"
import type { Lock } from "../../harness/container/probe.ts"

export { bytesOf }

/** The limits of one run; `timeoutMs` is what the user asked for. */
export function limitsOf({ memory, cpus, pids, timeout, maxTimeout }: SandboxConfig, timeoutMs?: number): Limits {
  if (timeoutMs !== undefined && timeoutMs > maxTimeout * 1000) {
    throw new McpExecError("E_USAGE", `--timeout ${timeoutMs / 1000} is more than a sandboxed script may have`, {
      hint: `At most ${maxTimeout} s: sandbox.maxTimeout in the configuration.`,
    })
  }
  // Docker refuses more processors than there are.
  return {
    memoryBytes: bytesOf(memory),
    cpus: Math.min(cpus, navigator.hardwareConcurrency),
    pids,
    timeoutMs: timeoutMs ?? timeout * 1000,
  }
}

const meaning: Record<Lock, string> = {
  memory: "the memory limit is ignored",
  pids: "the limit of processes is ignored",
  cpus: "the limit of processors is ignored",
  seccomp: "system calls are not filtered",
  capabilities: "capabilities are not dropped",
  privileges: "programs may gain privileges",
  "read-only": "the file system is writable",
  network: "there is a network",
}

/** Refuses an engine that does not keep what it was asked for, unless the user accepts that. */
export function checkStrength(engine: Engine, allowWeaker: boolean): void {
  if (engine.missing.length === 0 || allowWeaker) return
  const kind = `${engine.name} ${engine.version}${engine.rootless ? " without root" : ""}, cgroups ${engine.cgroups}`
  throw new McpExecError("E_SANDBOX", `The sandbox is weaker here than it should be (${kind}): ${saying(engine)}`, {
    hint: engine.rootless
      ? "Use a system with cgroups v2, or podman as root; --allow-weaker runs the script all the same."
      : "--allow-weaker runs the script all the same.",
    details: { missing: engine.missing },
  })
}

/** What to warn of when it runs all the same. */
export function weaknesses(engine: Engine): string[] {
  return engine.missing.length === 0 ? [] : [`the sandbox is weaker here than it should be: ${saying(engine)}`]
}

function saying({ missing }: Engine): string {
  return missing.map((lock) => meaning[lock]).join("; ")
}
