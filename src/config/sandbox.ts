// The `sandbox` section, also in the spellings of the programs before this one.
import type { JsonPath } from "./json-path.ts"
import { type Fields, isObject, type Problem, problemsOf } from "./problems.ts"
import { type SandboxConfig, sandboxSchema } from "./schema.ts"
import { bytesOf } from "./size.ts"

/** The older spellings, and what they are called now. */
export const oldSandboxKeys: Record<string, keyof SandboxConfig> = {
  memory_limit: "memory",
  cpu_limit: "cpus",
  pids_limit: "pids",
  max_timeout: "maxTimeout",
}

/** With less than this not even an empty script runs. */
const least: { key: keyof SandboxConfig; isEnough: (sandbox: SandboxConfig) => boolean; allowed: string }[] = [
  { key: "memory", isEnough: ({ memory }) => bytesOf(memory) >= 32 << 20, allowed: 'at least "32m"' },
  { key: "pids", isEnough: ({ pids }) => pids >= 16, allowed: "at least 16" },
  { key: "cpus", isEnough: ({ cpus }) => cpus >= 0.01, allowed: "at least 0.01" },
]

/** Validates the section, absent or given; undefined when problems were added. */
export function validateSandbox(value: unknown = {}, problems: Problem[] = []): SandboxConfig | undefined {
  const before = problems.length
  const fields = isObject(value) ? renameOldKeys(value, problems) : value
  const parsed = sandboxSchema.safeParse(fields)
  if (!parsed.success) {
    const found = problemsOf(parsed.error, fields, ["sandbox"])
    problems.push(...found.map((problem) => ({ ...problem, path: asWritten(problem.path, value) })))
    return undefined
  }
  for (const { key, isEnough, allowed } of least) {
    if (isEnough(parsed.data)) continue
    problems.push({ path: asWritten(["sandbox", key], value), found: JSON.stringify(parsed.data[key]), allowed })
  }
  const { timeout, maxTimeout } = parsed.data
  // A lower maximum alone is no contradiction: only a timeout that was asked for can exceed it.
  const isDefault = !isObject(value) || value.timeout === undefined
  if (!isDefault && timeout > maxTimeout) {
    problems.push({
      path: ["sandbox", "timeout"],
      found: String(timeout),
      allowed: `at most ${maxTimeout}`,
      message: `timeout ${timeout} exceeds maxTimeout ${maxTimeout}`,
    })
  }
  return problems.length > before ? undefined : { ...parsed.data, timeout: Math.min(timeout, maxTimeout) }
}

function renameOldKeys(sandbox: Fields, problems: Problem[]): Fields {
  const renamed = { ...sandbox }
  for (const [old, key] of Object.entries(oldSandboxKeys)) {
    if (!(old in sandbox)) continue
    if (key in sandbox) {
      const message = `is the older spelling of \`${key}\`, which is there too; allowed: one of the two`
      problems.push({ path: ["sandbox", old], found: `both ${old} and ${key}`, allowed: "one of the two", message })
      continue
    }
    const value = old === "cpu_limit" ? numberOf(sandbox[old]) : sandbox[old]
    if (value !== undefined) renamed[key] = value
  }
  return renamed
}

/** Earlier programs handed `cpu_limit` to the container engine as it was: null for none, or text. */
function numberOf(limit: unknown): unknown {
  if (limit === null) return undefined
  return typeof limit === "string" && /^\d*\.?\d+$/.test(limit) ? Number(limit) : limit
}

function asWritten([section = "sandbox", key, ...rest]: JsonPath, value: unknown): JsonPath {
  if (key === undefined) return [section]
  const old = Object.keys(oldSandboxKeys).find((each) => oldSandboxKeys[each] === key)
  return [section, old !== undefined && isObject(value) && old in value && !(key in value) ? old : key, ...rest]
}
