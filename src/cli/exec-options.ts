// The command line of `exec`. One table serves the help text and this parser, which stands apart
// from commander for two reasons: a script's own arguments must arrive untouched, whatever they look
// like, and loading commander costs as much as starting the script.
import { McpExecError } from "../errors.ts"
import type { Globals } from "./globals.ts"

export interface ExecOption {
  flags: string
  description: string
}

/** A function, because a script's start needs none of it. */
export const execOptions = (): ExecOption[] => [
  { flags: "-e, --eval <code>", description: "run this code instead of a file" },
  { flags: "--timeout <seconds>", description: "stop the script after this time (exit code 124)" },
  { flags: "--env <name[=value]>", description: "let the script see a variable; repeatable" },
  { flags: "--server <name>", description: "allow only these servers; repeatable" },
  { flags: "--sandbox", description: "run in a container that reaches nothing but the servers" },
  { flags: "--workspace <rw|ro|none>", description: "what a sandboxed script sees of the workspace (default: ro)" },
  { flags: "--allow-weaker", description: "use a sandbox whose limits this machine cannot all enforce" },
  { flags: "--no-daemon", description: "connect to servers anew instead of using those of the daemon" },
  { flags: "--check", description: "check the script's types first, and run it only when they are right" },
  { flags: "--direct", description: "run without a sandbox, also when the configuration asks for one" },
]

export interface ExecArguments {
  /** A file, or `-` for stdin; absent with `eval`. */
  script?: string
  eval?: string
  args: string[]
  timeout?: string
  env: string[]
  servers: string[]
  sandbox?: boolean
  workspace?: "rw" | "ro" | "none"
  allowWeaker?: boolean
  check?: boolean
  daemon: boolean
  /** Help or the version was asked for: there is nothing to run. */
  leaveToCommander: boolean
  globals: Globals
}

/** Nothing given yet; `globals` are those that stood before `exec`. */
export function emptyExecArguments(globals: Globals = noGlobals): ExecArguments {
  return { args: [], env: [], servers: [], daemon: true, leaveToCommander: false, globals: { ...globals } }
}

/** Reads what follows `exec` into `parsed`. Everything after the script belongs to the script. */
export function parseExecArguments(argv: readonly string[], parsed: ExecArguments): void {
  for (let at = 0; at < argv.length; at++) {
    const argument = argv[at] as string
    const equals = argument.startsWith("--") ? argument.indexOf("=") : -1
    const flag = equals < 0 ? argument : argument.slice(0, equals)
    const value = () => {
      const given = equals < 0 ? argv[++at] : argument.slice(equals + 1)
      if (given === undefined) throw usage(`${flag} needs a value`)
      return given
    }
    if (argument === "--" || argument === "-" || !argument.startsWith("-")) {
      const rest = argument === "--" ? argv.slice(at + 1) : argv.slice(at)
      return takeScript(parsed, rest)
    }
    if (!applyOption(parsed, flag, value)) throw usage(`exec has no option ${flag}`, knownFlags())
    if (equals >= 0 && isSwitch(flag)) throw usage(`${flag} takes no value`)
  }
}

const noGlobals: Globals = {
  config: undefined,
  cwd: undefined,
  json: false,
  quiet: false,
  verbose: false,
  color: true,
}

function takeScript(parsed: ExecArguments, rest: readonly string[]): void {
  const [script, ...args] = rest
  if (parsed.eval !== undefined) parsed.args = [...rest]
  else if (script !== undefined) Object.assign(parsed, { script, args })
}

function applyOption(parsed: ExecArguments, flag: string, value: () => string): boolean {
  const { globals } = parsed
  switch (flag) {
    case "-e":
    case "--eval":
      parsed.eval = value()
      return true
    case "--timeout":
      parsed.timeout = value()
      return true
    case "--env":
      parsed.env.push(value())
      return true
    case "--server":
      parsed.servers.push(value())
      return true
    case "--workspace":
      parsed.workspace = workspaceMode(value())
      return true
    case "--allow-weaker":
      parsed.allowWeaker = true
      return true
    case "--no-daemon":
      parsed.daemon = false
      return true
    case "--check":
      parsed.check = true
      return true
    case "--direct":
    case "--sandbox":
      parsed.sandbox = flag === "--sandbox"
      return true
    case "--config":
    case "--cwd":
      globals[flag === "--config" ? "config" : "cwd"] = value()
      return true
    case "--json":
    case "--quiet":
    case "--verbose":
      globals[flag.slice(2) as "json" | "quiet" | "verbose"] = true
      return true
    case "--no-color":
      globals.color = false
      return true
    case "-h":
    case "--help":
    case "-V":
    case "--version":
      parsed.leaveToCommander = true
      return true
    default:
      return false
  }
}

function workspaceMode(given: string): "rw" | "ro" | "none" {
  if (given === "rw" || given === "ro" || given === "none") return given
  throw usage(`--workspace takes rw, ro or none, not "${given}"`)
}

function isSwitch(flag: string): boolean {
  return [
    "--direct",
    "--sandbox",
    "--allow-weaker",
    "--check",
    "--no-daemon",
    "--json",
    "--quiet",
    "--verbose",
    "--no-color",
    "--help",
    "--version",
  ].includes(flag)
}

function knownFlags(): string {
  return `Options of exec stand before the script: ${execOptions()
    .map(({ flags }) => flags.replace(/^-\w, | .*/g, ""))
    .join(", ")}.`
}

function usage(message: string, hint = "See: mcp-exec exec --help"): McpExecError {
  return new McpExecError("E_USAGE", message, { hint })
}
