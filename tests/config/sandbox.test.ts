import { describe, expect, test } from "bun:test"
import { parse, problemsOf } from "./parse.ts"

const defaults = {
  enabled: false,
  runtime: "auto",
  memory: "512m",
  cpus: 1,
  pids: 128,
  timeout: 30,
  maxTimeout: 120,
  maxOutput: "10m",
  network: "none",
  pool: 0,
}

describe("a valid sandbox", () => {
  const cases = [
    { name: "has defaults", given: undefined, want: {} },
    { name: "may be empty", given: {}, want: {} },
    {
      name: "takes what is given",
      given: { enabled: true, runtime: "podman", image: "node:22", memory: "1g", cpus: 0.5, pids: 64, maxTimeout: 600 },
      want: { enabled: true, runtime: "podman", image: "node:22", memory: "1g", cpus: 0.5, pids: 64, maxTimeout: 600 },
    },
    {
      name: "may use the older spellings",
      given: { memory_limit: "256m", cpu_limit: 2, pids_limit: 32, max_timeout: 60 },
      want: { memory: "256m", cpus: 2, pids: 32, maxTimeout: 60 },
    },
    { name: "may have an older limit of processors as text", given: { cpu_limit: "1.5" }, want: { cpus: 1.5 } },
    { name: "may have no older limit of processors", given: { cpu_limit: null }, want: {} },
    {
      name: "lowers its default timeout to its maximum",
      given: { maxTimeout: 10 },
      want: { timeout: 10, maxTimeout: 10 },
    },
    { name: "may use all of its maximum", given: { timeout: 120 }, want: { timeout: 120 } },
    { name: "keeps unknown keys out", given: { seccomp_profile: "x" }, want: {} },
  ]
  for (const { name, given, want } of cases) {
    test(name, () => expect<unknown>(parse({ sandbox: given }).sandbox).toEqual({ ...defaults, ...want }))
  }
})

describe("an invalid sandbox", () => {
  const size = 'allowed: a size such as "512m" or "1g"'
  const cases = [
    {
      name: "times out after its maximum",
      given: { timeout: 150 },
      want: ["timeout: timeout 150 exceeds maxTimeout 120"],
    },
    {
      name: "times out after an older maximum",
      given: { timeout: 61, max_timeout: 60 },
      want: ["timeout: timeout 61 exceeds maxTimeout 60"],
    },
    { name: "has no time", given: { timeout: 0 }, want: ["timeout: found 0, allowed: a number above 0"] },
    { name: "has time as text", given: { timeout: "30" }, want: ['timeout: found "30", allowed: a number above 0'] },
    { name: "has memory without a unit", given: { memory: "512" }, want: [`memory: found "512", ${size}`] },
    {
      name: "has too little memory",
      given: { memory_limit: "31m" },
      want: ['memory_limit: found "31m", allowed: at least "32m"'],
    },
    { name: "has too few processes", given: { pids: 15 }, want: ["pids: found 15, allowed: at least 16"] },
    {
      name: "has too little of a processor",
      given: { cpus: 0.001 },
      want: ["cpus: found 0.001, allowed: at least 0.01"],
    },
    { name: "has memory as a number", given: { memory: 512 }, want: [`memory: found 512, ${size}`] },
    { name: "has no memory", given: { memory: "0m" }, want: [`memory: found "0m", ${size}`] },
    {
      name: "is blamed in the spelling it uses",
      given: { memory_limit: "lots", pids_limit: 0 },
      want: [`memory_limit: found "lots", ${size}`, "pids_limit: found 0, allowed: a whole number above 0"],
    },
    {
      name: "has part of a process",
      given: { pids: 1.5 },
      want: ["pids: found 1.5, allowed: a whole number above 0"],
    },
    {
      name: "says one thing in two spellings",
      given: { memory: "1g", memory_limit: "2g" },
      want: ["memory_limit: is the older spelling of `memory`, which is there too; allowed: one of the two"],
    },
    {
      name: "has an unknown runtime",
      given: { runtime: "lxc" },
      want: ['runtime: found "lxc", allowed: "auto", "podman", "docker"'],
    },
    { name: "has a network", given: { network: "host" }, want: ['network: found "host", allowed: "none"'] },
    {
      name: "is enabled by a word",
      given: { enabled: "true" },
      want: ['enabled: found "true", allowed: true or false'],
    },
  ]
  for (const { name, given, want } of cases) {
    test(name, () => expect(problemsOf({ sandbox: given })).toEqual(want.map((problem) => `sandbox.${problem}`)))
  }

  for (const [value, found] of [
    [null, "null"],
    [[], "an array"],
    [true, "true"],
  ]) {
    test(`is ${found}`, () =>
      expect(problemsOf({ sandbox: value })).toEqual([`sandbox: found ${found}, allowed: an object`]))
  }
})
