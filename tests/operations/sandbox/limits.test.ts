import { describe, expect, test } from "bun:test"
import { availableParallelism } from "node:os"
import { validateSandbox } from "../../../src/config/sandbox.ts"
import type { Engine } from "../../../src/harness/container/engine.ts"
import { checkStrength, limitsOf, weaknesses } from "../../../src/operations/sandbox/limits.ts"

const config = (given: object = {}) => validateSandbox(given) ?? expect.unreachable()

describe("the limits of a run", () => {
  test("are those of the configuration", () => {
    const limits = limitsOf(config({ memory: "1g", cpus: 0.5, pids: 64, timeout: 5 }))
    expect(limits).toEqual({ memoryBytes: 1 << 30, cpus: 0.5, pids: 64, timeoutMs: 5000 })
  })

  test("have no more processors than there are", () => {
    expect(limitsOf(config({ cpus: 4096 })).cpus).toBe(availableParallelism())
  })

  test("have the timeout that was asked for, up to the maximum", () => {
    expect(limitsOf(config(), 120_000).timeoutMs).toBe(120_000)
    expect(() => limitsOf(config(), 120_001)).toThrow("--timeout 120.001 is more than")
  })
})

describe("an engine that does not keep a limit", () => {
  const weak: Engine = {
    name: "podman",
    path: "/usr/bin/podman",
    version: "4.3.1",
    rootless: true,
    cgroups: "v1",
    extraFlags: [],
    channel: "socket",
    missing: ["memory", "pids"],
    image: "",
    seccompFile: "",
  }

  test("is refused with the reason, unless that is accepted", () => {
    expect(() => checkStrength(weak, false)).toThrow("the memory limit is ignored; the limit of processes is ignored")
    checkStrength(weak, true)
    expect(weaknesses(weak)).toHaveLength(1)
  })

  test("is one that lacks something", () => {
    checkStrength({ ...weak, missing: [] }, false)
    expect(weaknesses({ ...weak, missing: [] })).toEqual([])
  })
})
