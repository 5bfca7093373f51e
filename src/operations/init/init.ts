// Makes a folder ready for scripts and agents: a configuration, what git ignores, how editors and other
// runtimes find the generated functions, a first skill, servers/, and instructions for agents. Each part is
// one step that says what it did. What is there stays: doing it again changes nothing.
import { existsSync, mkdirSync, readdirSync } from "node:fs"
import { basename, dirname, join, relative, resolve } from "node:path"
import { z } from "zod"
import { configFileNames, findConfigFile } from "../../config/find.ts"
import type { ImportSource } from "../../config/import/import-servers.ts"
import type { Config } from "../../config/schema.ts"
import { describeError, type ErrorDescription, isMcpExecError } from "../../errors.ts"
import { createContext, type OperationContext } from "../context.ts"
import { filesFor } from "./instructions.ts"
import { describeSystemError } from "./system-error.ts"
import { type Folder, writeConfig } from "./write-config.ts"
import { ignoreGenerated, mapNames, type WriteContext, writeInstructions, writeSkill } from "./write-files.ts"

export const initInput = z.object({
  from: z.array(z.string()).default([]).describe("programs whose servers are brought in; `all` for all of them"),
  agents: z.array(z.string()).default([]).describe("agents that are told how to use this"),
  force: z.boolean().default(false).describe("replace what differs"),
  overwrite: z.array(z.string()).default([]).describe("files that may be replaced although they are not ours"),
})

export type InitInput = z.input<typeof initInput>

/** `kept`: it differs from ours and stays. `refused`: it is in the way, and may be replaced if the user says so. */
export type StepState = "created" | "updated" | "unchanged" | "kept" | "refused" | "failed"

export interface InitStep {
  /** Relative to the folder. */
  path: string
  state: StepState
  detail?: string
  error?: ErrorDescription
}

export interface InitOutput {
  directory: string
  steps: InitStep[]
  /** What was converted, left out or should be looked at. */
  notes: string[]
  /** Files of other programs with servers that could be brought in. */
  found: ImportSource[]
}

/** Runs every step that is needed. A step that fails does not stop the others. */
export async function init(context: OperationContext, input: InitInput): Promise<InitOutput> {
  const { from, agents, force, overwrite } = initInput.parse(input)
  // Names that are wrong are told before anything is written.
  const files = filesFor(agents)
  const { programsNamed } = await import("../../config/import/programs.ts")
  programsNamed(from)
  const folder = await locate(context, from)
  const { directory } = folder
  const output: InitOutput = { directory, steps: [], notes: [], found: [] }
  const write: WriteContext = { directory, force, mayReplace: (path) => force || overwrite.includes(path) }
  const step = async (path: string, run: () => InitStep | Promise<InitStep | undefined>) => {
    context.signal?.throwIfAborted()
    const done = await attempt(path, run)
    // What was interrupted has not failed.
    context.signal?.throwIfAborted()
    if (done !== undefined) output.steps.push(done)
  }
  // In a project that is set up, an agent is all that was asked for.
  const isMore = force || from.length > 0 || overwrite.some((path) => files.every((file) => file.path !== path))
  if (files.length > 0 && folder.existing !== undefined && !isMore) {
    for (const file of files) await step(file.path, () => writeInstructions(file, write))
    if (!existsSync(join(directory, "servers", "index.json"))) output.notes.push(nothingGenerated)
    return output
  }
  let config: Config | undefined
  await step(relative(directory, folder.file), async () => {
    const written = await writeConfig(context, folder, { ...write, from }, output)
    config = written.config
    return written.step
  })
  await step(".gitignore", () => ignoreGenerated(config, write))
  for (const file of ["package.json", "tsconfig.json", "deno.json"] as const) {
    await step(file, () => mapNames(file, write))
  }
  if (config !== undefined) {
    const { workspace } = config
    await step(`${relative(directory, workspace)}/`, () => makeFolder(workspace, directory))
  }
  await step("skills/", () => writeSkill(config, write))
  for (const file of files) await step(file.path, () => writeInstructions(file, write))
  await step("servers/", () => generateServers(context, folder, config, write, output))
  return output
}

/** Where the project is, and the configuration that it has or will have. */
async function locate(context: OperationContext, from: readonly string[]): Promise<Folder> {
  const named = context.configFlag ?? (context.env.MCP_EXEC_CONFIG || undefined)
  if (named !== undefined) {
    const file = resolve(context.cwd, named)
    return { file, directory: dirname(file), existing: existsSync(file) ? file : undefined }
  }
  const directory = context.cwd
  const existing = configFileNames.map((name) => join(directory, name)).find((file) => existsSync(file))
  // Another program's file: it can be our configuration, but what is brought in is not put there.
  const isShared = existing !== undefined && basename(existing) === ".mcp.json"
  if (existing !== undefined && !(isShared && from.length > 0)) return { file: existing, directory, existing }
  const above = await findConfigFile({ env: {}, cwd: dirname(directory) })
  return { file: join(directory, "mcp_config.json"), directory, existing: undefined, above, shared: existing }
}

async function attempt(
  path: string,
  run: () => InitStep | Promise<InitStep | undefined>,
): Promise<InitStep | undefined> {
  try {
    return await run()
  } catch (error) {
    if (isMcpExecError(error)) return { path, state: "failed", error: describeError(error) }
    return { path, state: "failed", error: describeSystemError(error) }
  }
}

const nothingGenerated = "servers/ has not been generated, so an agent finds no tools yet: run mcp-exec generate"

function makeFolder(path: string, directory: string): InitStep {
  const isThere = existsSync(path)
  mkdirSync(path, { recursive: true })
  return { path: `${relative(directory, path)}/`, state: isThere ? "unchanged" : "created" }
}

async function generateServers(
  context: OperationContext,
  { file, directory }: Folder,
  config: Config | undefined,
  { mayReplace }: WriteContext,
  { notes }: InitOutput,
): Promise<InitStep> {
  const path = "servers/"
  if (config === undefined) return { path, state: "kept", detail: "not generated: there is no valid configuration" }
  if (isForeign(join(directory, "servers")) && !mayReplace(path)) {
    return { path, state: "refused", detail: "the folder is not ours, and generated files would be put among yours" }
  }
  const { cwd, env, signal } = context
  await using own = createContext({
    ...{ cwd, env, signal, configFlag: file },
    onProgress: context.onProgress,
    log: (level, message) => context.log(level, message),
  })
  const isNew = !existsSync(join(directory, "servers", "index.json"))
  const { generate } = await import("../generate.ts")
  const { servers, written, removed } = await generate(own, {})
  for (const { name, error } of servers) {
    if (error !== undefined) notes.push(`${name}: ${error.code}: ${error.message.replace(/\s*\n\s*/g, " ")}`)
  }
  const working = servers.filter(({ ok }) => ok)
  const tools = working.reduce((sum, server) => sum + (server.tools ?? 0), 0)
  const failed = servers.length - working.length
  return {
    path,
    state: isNew ? "created" : written + removed > 0 ? "updated" : "unchanged",
    detail: `${count(working.length, "server")}, ${count(tools, "tool")}${failed > 0 ? `; ${failed} could not be asked` : ""}`,
  }
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`
}

/** A folder of the user's own that happens to have this name. */
function isForeign(servers: string): boolean {
  if (!existsSync(servers) || existsSync(join(servers, "_runtime.ts"))) return false
  return readdirSync(servers).some((name) => !name.startsWith("."))
}
