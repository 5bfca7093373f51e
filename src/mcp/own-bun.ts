// Servers that are JavaScript, on the Bun inside this very program: it boots them in about half the time that
// Node takes, and need not be installed. A package that is on this machine is started from where it is; only
// another one is left to `bun x`, which fetches it. Nothing is fetched, installed or changed here.
import { existsSync, readFileSync } from "node:fs"
import { mkdir, symlink } from "node:fs/promises"
import { homedir } from "node:os"
import { delimiter, dirname, join } from "node:path"
import { type PackageCommand, readJavaScriptCommand } from "../config/javascript-command.ts"
import type { StdioServerConfig } from "../config/schema.ts"
import { ConfigError } from "../errors.ts"
import { digestOf } from "../platform/digest.ts"
import { isFields } from "./fields.ts"
import type { StdioCommand } from "./stdio-transport.ts"

/** As Node does: no .env, no bunfig.toml, no packages from the network. */
const nothingOfBuns = ["--no-env-file", `--config=${process.platform === "win32" ? "NUL" : "/dev/null"}`]

/** The command that runs a server's JavaScript on our own Bun. `plain` is how it would run otherwise. */
export async function onOwnBun(
  name: string,
  { command, args }: Pick<StdioServerConfig, "command" | "args">,
  { plain, cacheDirectory }: { plain: StdioCommand; cacheDirectory: string },
): Promise<StdioCommand> {
  if (typeof Bun === "undefined") {
    throw refusal(name, "mcp-exec has no Bun where it runs on Node or Deno", "Use the mcp-exec binary")
  }
  const read = readJavaScriptCommand(command, args)
  if (typeof read === "string") throw refusal(name, `it runs JavaScript only, and ${read}`, "Correct the command")
  // A compiled program is Bun itself when it is told so; what the server starts with `process.execPath` is too.
  const own = { ...plain, env: { ...plain.env, BUN_BE_BUN: "1" }, isOnOwnBun: true }
  const self = process.execPath
  if (read.kind === "bun") return { ...own, command: [self, ...read.args] }
  const direct = [self, ...nothingOfBuns, "--no-install"] as const
  if (read.kind === "file") return { ...own, command: [...direct, ...read.args] }
  const file = installedProgram(read, plain)
  if (file !== undefined) {
    if (!isJavaScript(file)) throw refusal(name, `it runs JavaScript only, and ${file} is none`, "Correct the command")
    return { ...own, command: [...direct, file, ...read.args] }
  }
  const { spec, program, args: rest } = read
  const packageWords = program === undefined ? [spec] : ["--package", spec, program]
  return {
    ...own,
    command: [self, "x", ...packageWords, ...rest],
    env: {
      ...own.env,
      BUN_OPTIONS: nothingOfBuns.join(" "),
      PATH: await pathWithOwnNode(plain.env.PATH, cacheDirectory),
    },
  }
}

function refusal(name: string, why: string, remedy: string): ConfigError {
  return new ConfigError("E_CONFIG_INVALID", `server "${name}" cannot have "runtime": "bun": ${why}`, {
    hint: `${remedy}, or remove \`runtime\` from server '${name}'.`,
  })
}

/** The file of a package's program, when what was asked for is on this machine. */
function installedProgram(wanted: PackageCommand, { cwd, env }: StdioCommand): string | undefined {
  for (const folder of [...modulesAbove(cwd), npxFolder(wanted.spec, env)]) {
    const directory = join(folder, wanted.name)
    const manifest = readManifest(join(directory, "package.json"))
    if (manifest === undefined || !isWanted(manifest.version, wanted.version)) continue
    const file = programIn(manifest.bin, wanted)
    if (file !== undefined && existsSync(join(directory, file))) return join(directory, file)
  }
  return undefined
}

function modulesAbove(directory: string): string[] {
  const parent = dirname(directory)
  const here = join(directory, "node_modules")
  return parent === directory ? [here] : [here, ...modulesAbove(parent)]
}

/** Where npx keeps what it has installed for exactly these words. */
function npxFolder(spec: string, env: Record<string, string>): string {
  const { npm_config_cache, HOME = homedir(), LOCALAPPDATA = join(HOME, "AppData/Local") } = env
  const usual = process.platform === "win32" ? join(LOCALAPPDATA, "npm-cache") : join(HOME, ".npm")
  return join(npm_config_cache ?? usual, "_npx", digestOf(spec, "sha512").slice(0, 16), "node_modules")
}

function readManifest(path: string): Record<string, unknown> | undefined {
  try {
    const manifest: unknown = JSON.parse(readFileSync(path, "utf8"))
    return isFields(manifest) ? manifest : undefined
  } catch {
    return undefined // no such package, or none that can be used
  }
}

const versionRange = /^(\*|([~^=]|[<>]=?)?v?\d+(\.(\d+|[x*])(\.(\d+|[x*])(-[\w.-]+)?)?)?)$/

/** A tag such as `latest` is never satisfied: what it means today is only known elsewhere. */
function isWanted(installed: unknown, wanted: string | undefined): boolean {
  if (typeof installed !== "string") return false
  return wanted === undefined || (versionRange.test(wanted) && Bun.semver.satisfies(installed, wanted))
}

/** As npx chooses: the program that was named, the package's only one, or the one with the package's name. */
function programIn(bin: unknown, { name, program }: PackageCommand): string | undefined {
  const ownName = name.slice(name.indexOf("/") + 1)
  const programs = typeof bin === "string" ? { [ownName]: bin } : isFields(bin) ? bin : {}
  const [only, ...more] = new Set(Object.values(programs))
  const file = program === undefined && more.length === 0 ? only : programs[program ?? ownName]
  return typeof file === "string" ? file : undefined
}

function isJavaScript(file: string): boolean {
  const start = readFileSync(file).subarray(0, 256).toString("latin1")
  if (start.startsWith("#!")) return /\b(node|nodejs|bun|tsx|deno)\b/.test(start.split("\n", 1)[0] ?? "")
  return !start.includes("\0")
}

/**
 * A program that `bun x` has fetched says in its first line that it wants `node`; it finds ours. Not with `--bun`,
 * for which Bun keeps a `node` in /tmp that it shares with every other Bun of this user, and which would be us.
 */
async function pathWithOwnNode(path: string | undefined, cacheDirectory: string): Promise<string> {
  const self = process.execPath
  const directory = join(cacheDirectory, "node", digestOf(self).slice(0, 12))
  await mkdir(directory, { recursive: true, mode: 0o700 })
  for (const name of ["node", "bun"]) {
    await symlink(self, join(directory, name)).catch((error) => {
      // The folder is named after what the link leads to, so one that is there is right.
      if (error.code !== "EEXIST") throw error
    })
  }
  return path === undefined ? directory : directory + delimiter + path
}
