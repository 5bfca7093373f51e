// Which container engine there is, and what it can do here. Podman first, docker next, unless the
// configuration pins one. Found out once per boot, engine and version of this program; without an
// engine there is no sandbox: nothing falls back to running directly.
import { accessSync, constants, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs"
import { delimiter, dirname, join } from "node:path"
import { describeError, McpExecError } from "../../errors.ts"
import { digestOf } from "../../platform/digest.ts"
import { version } from "../../version.ts"
import type { EngineProgram, Environment } from "./engine-command.ts"
import { withLock } from "./lock.ts"
import type { EngineAbilities } from "./probe.ts"

export interface Engine extends EngineProgram, EngineAbilities {
  /** The image made from this program. */
  image: string
  seccompFile: string
}

export interface EngineWish {
  runtime: "auto" | "podman" | "docker"
  env: Environment
  cacheDirectory: string
  runtimeDirectory: string
  /** The program that is to run inside. */
  program: string
  /** Look again, whatever was found before. */
  fresh?: boolean
  say: (text: string) => void
}

/** The engine to use. Throws E_SANDBOX with what is wrong with each when there is none. */
export async function findEngine(wish: EngineWish): Promise<Engine> {
  const names = wish.runtime === "auto" ? (["podman", "docker"] as const) : [wish.runtime]
  const reasons: string[] = []
  let hint: string | undefined
  for (const name of names) {
    const path = findProgram(name, wish.env.PATH ?? "")
    if (path === undefined) {
      reasons.push(`${name} is not on the PATH`)
      continue
    }
    try {
      return await knownOrProbed({ name, path }, wish)
    } catch (error) {
      const description = describeError(error)
      if (description.code !== "E_SANDBOX") throw error
      reasons.push(description.message)
      hint ??= description.hint
    }
  }
  throw new McpExecError("E_SANDBOX", `There is no container engine for the sandbox: ${reasons.join("; ")}`, {
    hint: hint ?? installHint(wish.runtime),
  })
}

async function knownOrProbed(program: EngineProgram, wish: EngineWish): Promise<Engine> {
  const folder = join(wish.cacheDirectory, "sandbox")
  const note = join(folder, `${program.name}-${keyOf(program, wish)}.json`)
  const known = wish.fresh ? undefined : readNote(note)
  if (known !== undefined) return known
  const askedAt = Date.now()
  return await withLock(join(folder, "lock"), async () => {
    // Whoever held the lock before us may have done it.
    const fromOthers = readNote(note)
    if (fromOthers !== undefined && (!wish.fresh || statSync(note).mtimeMs >= askedAt)) return fromOthers
    return await probed(program, wish, note)
  })
}

async function probed(program: EngineProgram, wish: EngineWish, note: string): Promise<Engine> {
  const { env, cacheDirectory, runtimeDirectory, say } = wish
  // Rare, and much to load.
  const [{ describeEngine, probeEngine }, { ensureImage }, { seccompProfile }] = await Promise.all([
    import("./probe.ts"),
    import("./image.ts"),
    import("./seccomp.ts"),
  ])
  const about = await describeEngine(program, env)
  const seccompFile = leaveProfile(cacheDirectory, seccompProfile(process.arch === "arm64" ? "arm64" : "x64"))
  const image = await ensureImage(program, wish.program, { env, cacheDirectory, say })
  say(`Trying out what ${program.name} can do here…`)
  const abilities = await probeEngine(program, about, { env, image: image.name, seccompFile, runtimeDirectory })
  const engine = { ...program, ...abilities, image: image.name, seccompFile }
  writeNote(note, engine)
  return engine
}

/** Whatever could change what an engine can do, as far as it can be seen without asking it. */
function keyOf(engine: EngineProgram, { env, program }: EngineWish): string {
  return hashOf(JSON.stringify([version, program, stamp(program), engineStamp(engine, env)]))
}

/** What tells an engine from another, and from itself before an update or a boot. */
export function engineStamp({ path }: EngineProgram, env: Environment): unknown {
  const settings = ["DOCKER_HOST", "DOCKER_CONTEXT", "CONTAINER_HOST", "HOME", "XDG_RUNTIME_DIR", "XDG_DATA_HOME"]
  return [path, stamp(path), bootId(), process.getuid?.(), ...settings.map((name) => env[name])]
}

function stamp(path: string): unknown {
  const { size, mtimeMs, ino } = statSync(path)
  return [size, mtimeMs, ino]
}

function bootId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()
  } catch {
    return "" // not Linux: the rest of the key has to do
  }
}

function readNote(path: string): Engine | undefined {
  try {
    const engine: Engine = JSON.parse(readFileSync(path, "utf8"))
    // The profile may have been cleared away with the rest of a cache.
    accessSync(engine.seccompFile, constants.R_OK)
    return engine
  } catch {
    return undefined // missing or cut short: the engine is tried out again
  }
}

function writeNote(path: string, engine: Engine): void {
  try {
    replaceFile(path, JSON.stringify(engine))
  } catch {
    // A cache that cannot be written: the next run tries it out again.
  }
}

/** The engines read the profile from a file. */
function leaveProfile(cacheDirectory: string, profile: unknown): string {
  const text = JSON.stringify(profile)
  const file = join(cacheDirectory, "sandbox", `seccomp-${hashOf(text)}.json`)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  replaceFile(file, text)
  return file
}

/** In one step: others may be reading it. */
function replaceFile(path: string, text: string): void {
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, text, { mode: 0o600 })
  renameSync(draft, path)
}

function hashOf(text: string): string {
  return digestOf(text).slice(0, 16)
}

function findProgram(name: string, path: string): string | undefined {
  return path
    .split(delimiter)
    .filter((folder) => folder !== "")
    .map((folder) => join(folder, process.platform === "win32" ? `${name}.exe` : name))
    .find((file) => {
      try {
        // In most folders it is not, and an error takes longer to make than all the rest.
        if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return false
        accessSync(file, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
}

function installHint(runtime: EngineWish["runtime"]): string {
  const [what, where] =
    runtime === "docker"
      ? ["docker", "https://docs.docker.com/engine/install"]
      : ["podman", "https://podman.io/docs/installation"]
  return `Install ${what} (Debian, Ubuntu: apt install ${what === "docker" ? "docker.io" : "podman"}; otherwise ${where}). To run without a sandbox: --direct`
}
