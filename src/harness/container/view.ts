// What a container shows of the project, at the paths that it has outside: the generated servers, the
// skills and the packages, read-only; the workspace, as asked; everything else of it is an empty
// folder in memory, into which the script's own files are put. So the configuration, .env, .git and
// whatever else lies around are not there.
import { existsSync, realpathSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { McpExecError } from "../../errors.ts"
import type { Script } from "../harness.ts"
import { type Mount, nobody } from "./flags.ts"
import { isWithin } from "./script-files.ts"

export type WorkspaceMode = "rw" | "ro" | "none"

export interface ViewRequest {
  script: Script
  /** The folder of the configuration, or the working directory without one. */
  project: string
  configFile?: string | undefined
  workspace: string
  /** Undefined when the user has not said. */
  workspaceMode: WorkspaceMode | undefined
  /** Files belong to the caller inside, too: podman without root. */
  keepsOwner: boolean
}

export interface View {
  /** Where the script's files go: the project, or the script's folder when it is elsewhere. */
  root: string
  mounts: Mount[]
  scratches: string[]
  /** What the script is told to be its workspace. */
  workspace: string
  user: string
  warnings: string[]
}

/** The scratch, which is there whatever the workspace is. */
export const scratch = "/workspace"

const shownFolders = ["servers", "skills", "node_modules"]
// Parts of the container itself: a project there would hide or break them.
const reserved = [
  ...["/bin", "/dev", "/etc", "/lib", "/lib64", "/proc", "/run/mcp-exec", "/sbin", "/sys"],
  ...["/usr/bin", "/usr/lib", "/usr/lib64"],
]

/** Decides what is shown. Throws when it cannot be shown safely. */
export function makeView(request: ViewRequest): View {
  const { script, project } = request
  const file = script.kind === "file" ? script.path : script.name
  const root = isWithin(file, project) ? project : dirname(file)
  const mounts = shownFolders
    .map((name) => join(project, name))
    .filter((folder) => isFolder(folder))
    .map((folder): Mount => ({ source: folder, target: folder, mode: "ro" }))
  const { mount, workspace, warnings } = placeWorkspace(request)
  if (mount !== undefined) mounts.push(mount)
  const scratches = [...new Set([scratch, root, ...(mounts.length > 0 ? [project] : [])])].filter(
    (folder) => folder !== "/tmp",
  )
  for (const path of [...scratches.slice(1), ...mounts.map(({ target }) => target)]) checkPath(path)
  const user = mount?.mode === "rw" && !request.keepsOwner ? ownerOf(mount.source) : nobody
  return { root, mounts, scratches, workspace, user, warnings }
}

function placeWorkspace({ configFile, workspace, workspaceMode }: ViewRequest): {
  mount?: Mount
  workspace: string
  warnings: string[]
} {
  const mode = workspaceMode ?? "ro"
  if (mode === "none") return { workspace: scratch, warnings: [] }
  // Without a configuration the workspace is the working directory: a home, perhaps.
  const problem =
    configFile === undefined
      ? "there is no configuration that says which folder it is"
      : isFolder(workspace) && isWithin(realpathSync(configFile), realpathSync(workspace))
        ? "the configuration file lies in it"
        : undefined
  if (problem !== undefined) {
    if (workspaceMode !== undefined) {
      throw new McpExecError("E_SANDBOX", `The sandbox does not show the workspace ${workspace}: ${problem}`, {
        hint: "Give the configuration a workspace of its own, such as ./workspace, or use --workspace none.",
      })
    }
    const warning = `the sandbox does not show the workspace ${workspace}: ${problem}`
    return { workspace: scratch, warnings: configFile === undefined ? [] : [warning] }
  }
  if (!existsSync(workspace)) {
    // Nothing to show. To be written to, it has to be there.
    if (mode === "ro") return { workspace: scratch, warnings: [] }
    throw new McpExecError("E_SANDBOX", `The workspace ${workspace} does not exist`, { hint: `mkdir ${workspace}` })
  }
  return { mount: { source: workspace, target: workspace, mode }, workspace, warnings: [] }
}

/** Files that a script writes must be allowed to it, and should belong to whoever owns the folder. */
function ownerOf(folder: string): string {
  const { uid, gid, mode } = statSync(folder)
  if (uid !== 0) return `${uid}:${gid}`
  if ((mode & 0o002) !== 0) return nobody
  throw new McpExecError("E_SANDBOX", `The workspace ${folder} belongs to root, and a sandboxed script never is root`, {
    hint: `Give it to another user: chown 65534:65534 ${folder}`,
  })
}

function checkPath(path: string): void {
  const problem = reserved.some((folder) => isWithin(path, folder) || isWithin(folder, path))
    ? "it would hide a part of the container itself"
    : /[:,"\n\\]/.test(path)
      ? "container engines cannot be told a path with a colon, comma, quote, backslash or line break"
      : undefined
  if (problem === undefined) return
  throw new McpExecError("E_SANDBOX", `The sandbox cannot show ${JSON.stringify(path)}: ${problem}`, {
    hint: "Move the project, or run from another folder.",
  })
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
  } catch {
    return false
  }
}
