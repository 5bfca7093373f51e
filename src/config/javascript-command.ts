// Which JavaScript a server's command runs, so that it can be run on another runtime than the command's
// own. Reads words only: nothing is looked up, and nothing that is not understood is guessed.

export type JavaScriptCommand =
  /** What Node is given: options, a file, the file's arguments. */
  | { kind: "file"; args: string[] }
  /** What Bun is given; the runtime is asked for by name already. */
  | { kind: "bun"; args: string[] }
  | PackageCommand

/** A program that an npm package has. */
export interface PackageCommand {
  kind: "package"
  /** As it was written: `name`, `name@1.2.3`, `name@^1`, `name@latest`. */
  spec: string
  name: string
  version: string | undefined
  /** One of the package's programs; its own when absent. */
  program: string | undefined
  args: string[]
}

const understood = "npx, bunx, node, bun, or a JavaScript file"

/** What a command runs; a sentence's end that says why it cannot be told, when it cannot. */
export function readJavaScriptCommand(command: string, args: readonly string[]): JavaScriptCommand | string {
  const program = (command.split(/[/\\]/).at(-1) ?? "").replace(/\.(exe|cmd)$/i, "")
  switch (program) {
    case "node":
      return readNode(args)
    case "bun":
      return args[0] === "x" ? readPackage(args.slice(1), bunxOptions) : { kind: "bun", args: [...args] }
    case "npx":
      return readPackage(args, npxOptions)
    case "bunx":
      return readPackage(args, bunxOptions)
    default:
      if (/\.[cm]?[jt]s$/.test(program)) return { kind: "file", args: [command, ...args] }
      return `the command "${program}" is not known to run JavaScript: it must be ${understood}`
  }
}

/** Bun takes Node's options, and ignores those that it has no use for. That must not happen to these. */
const nodePermissions = /^--(experimental-)?permission$/

function readNode(args: readonly string[]): JavaScriptCommand | string {
  if (args.length === 0) return "the command is given no file to run"
  const at = scriptIndex(args)
  const [options, rest] = at === -1 ? [args, []] : [args.slice(0, at), args.slice(at)]
  if (options.some((option) => nodePermissions.test(option))) return "Node's permissions do not exist in Bun"
  return { kind: "file", args: [...options, ...rest.map((arg, index) => (index === 0 ? asPath(arg) : arg))] }
}

const withValue = new Set("-r --require --import --loader --experimental-loader -C --conditions --env-file".split(" "))
const withCode = new Set("-e --eval -p --print".split(" "))

/** Where the file stands among Node's arguments; -1 when there is none. */
function scriptIndex(args: readonly string[]): number {
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ""
    if (withCode.has(arg)) return -1
    if (!arg.startsWith("-")) return at
    if (withValue.has(arg)) at++
  }
  return -1
}

/** To Bun, a bare word may be a command of its own, or a script of a package.json. */
function asPath(file: string): string {
  return /^(\.|[A-Za-z]:|[/\\])/.test(file) ? file : `./${file}`
}

/** Options that change nothing once it is clear which package to run. */
const npxOptions = new Set("-y --yes -q --quiet -s --silent --prefer-offline --prefer-online --offline".split(" "))
const bunxOptions = new Set("-y --yes --bun --silent --verbose".split(" "))

function readPackage(args: readonly string[], ignored: ReadonlySet<string>): JavaScriptCommand | string {
  const rest = [...args]
  const packages: string[] = []
  while (rest[0]?.startsWith("-")) {
    const option = rest.shift() as string
    if (option === "--") break
    const [flag, value] = option.split("=", 2)
    if (flag === "-p" || flag === "--package") packages.push(value ?? rest.shift() ?? "")
    else if (!ignored.has(option)) return `the option ${flag} cannot be translated`
  }
  if (packages.length > 1) return "the command names more than one package"
  const [first, ...own] = rest
  const spec = packages[0] ?? first
  if (first === undefined || spec === undefined) return "the command names no package"
  const [, name, version] = packageSpec.exec(spec) ?? []
  if (name === undefined) return 'the package must be written as "name" or "name@version"'
  return { kind: "package", spec, name, version, program: packages.length > 0 ? first : undefined, args: own }
}

const packageSpec = /^((?:@[\w.~-]+\/)?\w[\w.~-]*)(?:@([^\s:/]+))?$/
