// Gets the text of a source into memory. Links are not followed, and nothing that arrives is run.
import { lstatSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join, sep } from "node:path"
import { McpExecError } from "../../errors.ts"
import { download } from "./download.ts"
import { type Environment, runProgram } from "./run-program.ts"
import {
  asText,
  type Fetched,
  largestFile,
  largestSource,
  mostFiles,
  type Source,
  sourceHint,
  tooLarge,
} from "./source.ts"
import { readPackage } from "./tar.ts"

/** All text files of a source. A single file has its own name. */
export async function fetchSource(source: Source, env: Environment): Promise<Fetched> {
  switch (source.kind) {
    case "path":
      return readPath(source.path)
    case "file":
      return oneFile(fileName(source.url), await download(source.url))
    case "git":
      return await inTemporary((directory) => clone(source, directory, env))
    case "npm":
      return await inTemporary((directory) => pack(source.spec, directory, env))
  }
}

/** The last part of an address; one that is not properly encoded stays as it is, and is no name for a skill. */
function fileName(url: string): string {
  const name = basename(new URL(url).pathname)
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

function oneFile(name: string, text: string): Fetched {
  return { files: new Map([[name, text]]), left: [] }
}

function readPath(path: string): Fetched {
  const status = statSync(path)
  if (!status.isFile() && !status.isDirectory()) {
    throw new McpExecError("E_USAGE", `${path} is a pipe or a device, not a skill`, { hint: sourceHint })
  }
  if (status.isFile()) return oneFile(basename(path), asText(readFileSync(path), path))
  return readFolder(path)
}

function readFolder(root: string): Fetched {
  const { files, left }: Fetched = { files: new Map(), left: [] }
  let size = 0
  const walk = (below: string) => {
    for (const entry of readdirSync(join(root, below), { withFileTypes: true })) {
      const path = below === "" ? entry.name : `${below}/${entry.name}`
      if (entry.isDirectory() && entry.name !== "node_modules" && entry.name !== ".git") walk(path)
      if (entry.isSymbolicLink()) left.push({ path, why: "link" })
      if (!entry.isFile()) continue
      const bytes = lstatSync(join(root, path)).size
      // Pictures, data and the like are no part of a skill that is read before it is run.
      if (bytes > largestFile) {
        left.push({ path, why: "too large" })
        continue
      }
      size += bytes
      if (size > largestSource || files.size >= mostFiles) throw tooLarge(root)
      const content = readFileSync(join(root, path))
      if (content.includes(0)) left.push({ path, why: "not text" })
      else files.set(path, content.toString("utf8"))
    }
  }
  walk("")
  return { files, left }
}

async function clone(
  { url, ref, folder }: Source & { kind: "git" },
  directory: string,
  env: Environment,
): Promise<Fetched> {
  const target = join(directory, "clone")
  const safe = ["-c", "core.hooksPath=/dev/null", "-c", "protocol.ext.allow=never"]
  const branch = ref === undefined ? [] : ["--branch", ref]
  const template = ["--template=", "--no-recurse-submodules", "--single-branch", "--quiet"]
  const quiet = { ...env, GIT_TERMINAL_PROMPT: "0", GIT_LFS_SKIP_SMUDGE: "1" }
  await runProgram(
    "git",
    [...safe, "clone", "--depth", "1", ...template, ...branch, "--", url, target],
    directory,
    quiet,
  )
  return readFolder(folder === undefined ? target : folderIn(target, folder))
}

/** A folder of a repository, which a link in it must not lead out of. */
function folderIn(repository: string, folder: string): string {
  const path = join(repository, folder)
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory()
  if (isFolder && realpathSync(path).startsWith(realpathSync(repository) + sep)) return path
  throw new McpExecError("E_USAGE", `The repository has no folder ${folder}`, { hint: sourceHint })
}

async function pack(spec: string, directory: string, env: Environment): Promise<Fetched> {
  // A version from the registry, packed there: --ignore-scripts is for whatever else npm might take it for.
  await runProgram(
    "npm",
    ["pack", spec, "--ignore-scripts", "--loglevel=error", "--pack-destination", directory],
    directory,
    env,
  )
  const archive = readdirSync(directory).find((name) => name.endsWith(".tgz"))
  if (archive === undefined) throw new McpExecError("E_USAGE", `npm has no package ${spec}`, { hint: sourceHint })
  return readPackage(readFileSync(join(directory, archive)), spec)
}

async function inTemporary(work: (directory: string) => Promise<Fetched>): Promise<Fetched> {
  const directory = mkdtempSync(join(tmpdir(), "mcp-exec-add-"))
  try {
    return await work(directory)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
