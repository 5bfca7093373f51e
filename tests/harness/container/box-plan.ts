import type { BoxPlan } from "../../../src/harness/container/launch.ts"

/** A plan for a container that is never started. */
export function boxPlan(engine: string): BoxPlan {
  return {
    engine: { name: "podman", path: engine },
    extraFlags: [],
    user: "65534:65534",
    image: "image:1",
    program: "/bin/mcp-exec",
    seccompFile: "/seccomp.json",
    limits: { memoryBytes: 1 << 29, cpus: 1, pids: 128, timeoutMs: 120_000 },
    mounts: [],
    scratches: [],
  }
}
