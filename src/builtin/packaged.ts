// How the official filesystem and memory packages are started: as a child of this program, with
// absolute paths, so that nothing depends on the folder the child happens to run in.
import { mkdir, stat } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import type { BuiltinServerConfig } from "../config/schema.ts"
import { ConfigError } from "../errors.ts"
import { absolutePath } from "../platform/absolute-path.ts"
import { selfCommand } from "../platform/self.ts"
import type { BuiltinContext, BuiltinLaunch } from "./registry.ts"

/** The filesystem server on the directories of its arguments, or on the workspace. */
export async function launchFilesystem(server: BuiltinServerConfig, context: BuiltinContext): Promise<BuiltinLaunch> {
  const directories =
    server.args.length === 0 ? [context.workspace] : server.args.map((arg) => absolutePath(arg, context.directory))
  await Promise.all(directories.map((directory) => requireDirectory(directory, context)))
  return childLaunch("filesystem", directories, server.env)
}

/** The memory server, its graph in the file MEMORY_FILE_PATH or in the workspace. */
export async function launchMemory(server: BuiltinServerConfig, context: BuiltinContext): Promise<BuiltinLaunch> {
  // The package's own default lies beside its source, which inside a compiled binary is no real folder.
  const configured = server.env.MEMORY_FILE_PATH
  const file = configured ? absolutePath(configured, context.directory) : join(context.workspace, "memory.jsonl")
  await makeDirectory(dirname(file), "memory")
  return childLaunch("memory", [], { ...server.env, MEMORY_FILE_PATH: file })
}

function childLaunch(name: string, args: string[], env: Record<string, string>): BuiltinLaunch {
  return { kind: "child", command: [...selfCommand("__serve"), name, ...args], env }
}

// The workspace is ours to create; any other missing directory is more likely a typo.
async function requireDirectory(directory: string, context: BuiltinContext): Promise<void> {
  if (directory === resolve(context.workspace)) return makeDirectory(directory, "filesystem")
  const found = await stat(directory).catch((error: NodeJS.ErrnoException) => error)
  if (found instanceof Error) {
    const problem = found.code === "ENOENT" ? "does not exist" : `cannot be read (${found.code ?? found.message})`
    throw invalidDirectory(directory, problem, found)
  }
  if (!found.isDirectory()) throw invalidDirectory(directory, "is not a directory")
}

function invalidDirectory(directory: string, problem: string, cause?: unknown): ConfigError {
  return new ConfigError("E_CONFIG_INVALID", `The builtin server filesystem is given ${directory}, which ${problem}`, {
    hint: `Create the directory, or correct "args" of the filesystem server. Relative paths start at the config file.`,
    details: { directory },
    cause,
  })
}

async function makeDirectory(directory: string, server: string): Promise<void> {
  await mkdir(directory, { recursive: true }).catch((cause: Error) => {
    throw new ConfigError(
      "E_CONFIG_INVALID",
      `The builtin server ${server} needs the folder ${directory}, which cannot be created: ${cause.message}`,
      { hint: "Make the folder writable, or configure another one.", details: { directory }, cause },
    )
  })
}
