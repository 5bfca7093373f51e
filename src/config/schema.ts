// The shape of mcp_config.json and its defaults. Loaded only when a config must be validated;
// everything else imports its types alone. Each message says what is allowed: it ends a sentence
// that has begun with what was found.
import { z } from "zod"
import { isHttpUrl } from "./http-url.ts"

const aProgram = "a program's name or path"
const aSize = 'a size such as "512m" or "1g"'
const aVariable = 'the name of a variable, or a glob such as "AWS_*"'
const aUrl = "an http:// or https:// URL"
const aString = "a string that is not empty"
const strings = "an array of strings"
const above0 = "a number above 0"
const wholeAbove0 = "a whole number above 0"
const wholeUpTo8 = "a whole number from 0 to 8"

const isNotBlank = (given: string) => given.trim() !== ""
const text = z.string("a string")
const nonEmpty = z.string(aString).refine(isNotBlank, aString)
const command = z.string(aProgram).refine(isNotBlank, aProgram)
const list = z.array(text, strings)
const names = z.array(nonEmpty, strings)
const stringMap = z.record(z.string(), text, "an object of strings")
const flag = z.boolean("true or false")
const positive = z.number(above0).positive(above0)
const memorySize = z.string(aSize).regex(/^[1-9]\d*[kmg]b?$/i, aSize)
const variableName = z.string(aVariable).regex(/^[^=\s]+$/, aVariable)
/** Checked again once its variables are known. */
const url = z.string(aUrl).refine((given) => given.includes("${") || isHttpUrl(given), aUrl)

const aNormalization = '"none", "ado-pascal-case", "camelCase", "snake_case", or an object of new names by old ones'
const normalize = z.union(
  [z.enum(["none", "ado-pascal-case", "camelCase", "snake_case"]), z.record(z.string(), nonEmpty)],
  aNormalization,
)

const common = {
  description: text.optional(),
  disabled: flag.default(false),
  /** Milliseconds to connect, and for one call. */
  timeout: positive.optional(),
  /** Globs of tool names: what `allow` does not name or `deny` names does not exist for scripts. */
  tools: z.object({ allow: names.optional(), deny: names.optional() }, 'an object with "allow" and "deny"').optional(),
  /** How the keys of results are renamed: a strategy, or names of ours for names of theirs. */
  normalize: normalize.optional(),
  /** Directories offered to the server as MCP roots, instead of those its arguments name or the workspace. */
  roots: names.optional(),
  /** Milliseconds after which a daemon closes the server when nobody has used it. */
  idleTimeout: positive.optional(),
  /** With false, the server ends with the last run that used it, also in a daemon. */
  keepAlive: flag.optional(),
}

export const stdioServerSchema = z.object({
  type: z.literal("stdio"),
  command,
  args: list.default([]),
  env: stringMap.default({}),
  cwd: nonEmpty.optional(),
  /** With "bun", a server that is JavaScript runs on the Bun that this program is made with. */
  runtime: z.enum(["bun"]).optional(),
  ...common,
})

const remote = {
  url,
  headers: stringMap.default({}),
  ...common,
}
export const httpServerSchema = z.object({ type: z.literal("http"), ...remote })
export const sseServerSchema = z.object({ type: z.literal("sse"), ...remote })

export const builtinServerSchema = z.object({
  type: z.literal("builtin"),
  name: z.enum(["filesystem", "memory", "fetch", "echo"]),
  args: list.default([]),
  env: stringMap.default({}),
  ...common,
})

export const serverSchema = z.discriminatedUnion("type", [
  stdioServerSchema,
  httpServerSchema,
  sseServerSchema,
  builtinServerSchema,
])

export const execSchema = z.object(
  {
    /** Names or globs (`AWS_*`) of environment variables that scripts may see. */
    env: z.array(variableName, strings).default([]),
    /** Seconds a script may run in direct mode; none when absent. */
    timeout: positive.optional(),
  },
  "an object",
)

export const sandboxSchema = z.object(
  {
    enabled: flag.default(false),
    runtime: z.enum(["auto", "podman", "docker"]).default("auto"),
    image: nonEmpty.optional(),
    memory: memorySize.default("512m"),
    cpus: positive.default(1),
    pids: z.int(wholeAbove0).positive(wholeAbove0).default(128),
    timeout: positive.default(30),
    maxTimeout: positive.default(120),
    /** How much a script may print before its output is cut. */
    maxOutput: memorySize.default("10m"),
    network: z.enum(["none"]).default("none"),
    /** How many containers a command leaves waiting for the next one like it. */
    pool: z.int(wholeUpTo8).min(0, wholeUpTo8).max(8, wholeUpTo8).default(0),
  },
  "an object",
)

export const serveSchema = z.object(
  {
    /** How much of a result a model is shown; what is cut stays readable. */
    maxOutputTokens: z.int(wholeAbove0).positive(wholeAbove0).default(25_000),
    /** How many scripts run at once, and how many more may wait. */
    maxRuns: z.int(wholeAbove0).positive(wholeAbove0).default(4),
    maxWaiting: z.int(wholeAbove0).positive(wholeAbove0).default(32),
    /** How many tools one client may call in a minute. */
    callsPerMinute: z.int(wholeAbove0).positive(wholeAbove0).default(1200),
  },
  "an object",
)

export const configSchema = z.object({
  mcpServers: z.record(z.string(), serverSchema).default({}),
  workspace: nonEmpty.default("./workspace"),
  exec: execSchema.prefault({}),
  sandbox: sandboxSchema.prefault({}),
  /** With "observe", the results that scripts get teach the types of results. */
  discovery: z.enum(["off", "observe"]).default("off"),
  serve: serveSchema.prefault({}),
  /** Whether servers stay connected between commands, in a daemon. */
  daemon: flag.optional(),
  /** The servers that a daemon connects to when it starts. */
  warm: names.optional(),
})

export type StdioServerConfig = z.infer<typeof stdioServerSchema>
export type HttpServerConfig = z.infer<typeof httpServerSchema>
export type SseServerConfig = z.infer<typeof sseServerSchema>
export type BuiltinServerConfig = z.infer<typeof builtinServerSchema>
export type Normalize = z.infer<typeof normalize>
export type ServerConfig = z.infer<typeof serverSchema>
export type ExecConfig = z.infer<typeof execSchema>
export type SandboxConfig = z.infer<typeof sandboxSchema>
export type ServeConfig = z.infer<typeof serveSchema>

/** A configuration that has been found, read and validated. */
export interface Config {
  /** The file it came from; absent when there is none, which is fine for scripts that call no server. */
  file?: string
  /** Where relative paths in it start: the file's folder, or the working directory. */
  directory: string
  /** Has no prototype, so any name is safe to look up. */
  servers: Record<string, ServerConfig>
  /** Absolute path of the folder where scripts may write. */
  workspace: string
  exec: ExecConfig
  sandbox: SandboxConfig
  discovery: "off" | "observe"
  serve: ServeConfig
  /** Whether servers stay connected between commands; undecided when absent. */
  daemon?: boolean | undefined
  warm?: string[] | undefined
  /** Keys that look like typos: worth a line on stderr. */
  warnings: string[]
}
