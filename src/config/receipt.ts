// What running a script needs to know of the configuration, within a few milliseconds. Validation
// loads zod, so a file that has passed leaves a receipt in the cache: while path, size and time of
// change are the same, and so is this program, it passes without it. A receipt holds no credentials,
// and nothing of a server but its name and a fingerprint. A configuration that does not validate never gets one.
import { cacheDirectory } from "../platform/directories.ts"
import { within } from "../platform/paths.ts"
import { readWhole } from "../platform/read-whole.ts"
import { version } from "../version.ts"
import { readConfigText, type Stamp, stampOf } from "./files.ts"
import type { Config, ExecConfig, SandboxConfig } from "./schema.ts"

// A file that changed this recently may change again without its time telling.
const settledAfterMs = 100

export interface ExecSettings {
  file?: string
  directory: string
  workspace: string
  exec: ExecConfig
  sandboxEnabled: boolean
  /** The results that scripts get teach the types of results. */
  observe: boolean
  /** Absent without a configuration. */
  sandbox?: SandboxConfig
  /** All that are configured, also those that are disabled. */
  serverNames: string[]
  /** Of those that are enabled, by name: what tells one configuration of a server from another. */
  fingerprints: Record<string, string>
  /** Whether servers stay connected between commands; undecided when absent. */
  daemon?: boolean | undefined
  /** The environment variables that servers are configured with, if any. */
  variables?: string[] | undefined
  warnings: string[]
}

/** The settings of a configuration file; without one, the defaults. An invalid file is an error, every time. */
export function readExecSettings({
  file,
  cwd,
  cacheDirectory: cache,
}: {
  file?: string | undefined
  cwd: string
  /** Where receipts are kept; the user's cache when absent. */
  cacheDirectory?: string | undefined
}): Promise<ExecSettings> | ExecSettings {
  if (file === undefined) return defaultSettings(cwd)
  return readSettings(within(cwd, file), cache ?? cacheDirectory(process.env))
}

/** Those that a receipt tells; undefined when there is none of the file as it is. */
export async function receivedSettings(file: string, cache: string): Promise<ExecSettings | undefined> {
  const stamp = stampOf(file)
  return stamp && readReceipt(await receiptOf(file, stamp, cache))
}

async function readSettings(file: string, cache: string): Promise<ExecSettings> {
  const stamp = stampOf(file)
  // Before it is read: reading and validating may take longer than that.
  const isSettled = stamp !== undefined && Date.now() - stamp.modifiedMs > settledAfterMs
  const receipt = await receiptOf(file, stamp, cache)
  const known = stamp && readReceipt(receipt)
  if (known !== undefined) return known
  const settings = await validateSettings(await readConfigText(file), file)
  if (isSettled) {
    const { writeReceipt } = await import("./receipt-store.ts")
    await writeReceipt(receipt, JSON.stringify(settings))
  }
  return settings
}

// Said here once more, so that a script without a configuration starts without the schema; a test compares them.
function defaultSettings(directory: string): ExecSettings {
  return {
    directory,
    workspace: directory,
    exec: { env: [] },
    sandboxEnabled: false,
    observe: false,
    serverNames: [],
    fingerprints: {},
    warnings: [],
  }
}

/** Tells one set of values from another. */
export async function hashOf(parts: unknown[]): Promise<string> {
  const content = JSON.stringify(parts)
  if (typeof Bun !== "undefined") return new Bun.CryptoHasher("sha256").update(content).digest("hex")
  const { createHash } = await import("node:crypto")
  return createHash("sha256").update(content).digest("hex")
}

async function receiptOf(file: string, stamp: Stamp | undefined, cache: string): Promise<string> {
  return within(cache, `config/${await hashOf([version, file, stamp])}.json`)
}

function readReceipt(path: string): ExecSettings | undefined {
  try {
    const settings: unknown = JSON.parse(readWhole(path))
    return isSettings(settings) ? settings : undefined
  } catch {
    // Missing, cut short or unreadable: the file is validated again.
    return undefined
  }
}

function isSettings(value: unknown): value is ExecSettings {
  if (typeof value !== "object" || value === null) return false
  const settings = value as Partial<ExecSettings>
  const { directory, workspace, exec, sandboxEnabled, observe, serverNames, fingerprints, warnings } = settings
  return (
    typeof directory === "string" &&
    typeof workspace === "string" &&
    isStrings(exec?.env) &&
    ["number", "undefined"].includes(typeof exec.timeout) &&
    typeof sandboxEnabled === "boolean" &&
    typeof observe === "boolean" &&
    isStrings(serverNames) &&
    isStrings(fingerprints && Object.values(fingerprints)) &&
    ["boolean", "undefined"].includes(typeof settings.daemon) &&
    (settings.variables === undefined || isStrings(settings.variables)) &&
    isStrings(warnings)
  )
}

export function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string")
}

async function validateSettings(text: string, file: string): Promise<ExecSettings> {
  const { parseConfig } = await import("./load.ts")
  return await settingsOf(parseConfig(text, { file }))
}

/** The settings that a validated configuration has. */
export async function settingsOf(config: Config): Promise<ExecSettings> {
  const [{ fingerprintOf }, { variablesOf }] = await Promise.all([import("./fingerprint.ts"), import("./variables.ts")])
  const { file, directory, workspace, exec, sandbox, discovery, servers, daemon, warnings } = config
  const enabled = Object.entries(servers).filter(([, { disabled }]) => !disabled)
  const variables = [...new Set(enabled.flatMap(([, server]) => variablesOf(server)))].sort()
  return {
    ...(file !== undefined && { file }),
    sandbox,
    directory,
    workspace,
    exec,
    sandboxEnabled: sandbox.enabled,
    observe: discovery === "observe",
    serverNames: Object.keys(servers),
    fingerprints: Object.fromEntries(enabled.map(([name, server]) => [name, fingerprintOf(server)])),
    ...(daemon !== undefined && { daemon }),
    ...(variables.length > 0 && { variables }),
    warnings,
  }
}
