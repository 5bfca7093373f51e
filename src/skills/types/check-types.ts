// Type-checks scripts against servers/ with the user's own TypeScript, in a folder of its own: nothing is
// written into the project, and its tsconfig does not matter.
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join, relative, resolve, sep } from "node:path"
import { type Diagnostic, parseDiagnostics } from "./diagnostics.ts"
import { findCompiler, findTypes } from "./find-compiler.ts"

export interface TypeCheck {
  project: string
  env: Record<string, string | undefined>
  /** The text of what scripts import as `mcp-exec`. */
  runtime: string
  files: readonly string[]
  /** Code that is in no file, and the path that it pretends to have. */
  code?: { text: string; name: string }
}

// What scripts use of their runtime, where its types are not installed.
const anyRuntime = `declare const process: any
declare const Buffer: any
declare const Bun: any
declare const Deno: any
declare const require: any
declare const module: any
declare const exports: any
declare const __dirname: string
declare const __filename: string
interface ImportMeta { main: boolean; dir: string; dirname: string; filename: string; path: string; url: string }
declare module "node:*"
declare module "bun"
declare module "bun:*"
`
const patienceMs = 120_000

/** What the compiler says; undefined when there is no compiler. Code's diagnostics have the path it pretends to have. */
export async function checkTypes(check: TypeCheck): Promise<Diagnostic[] | undefined> {
  const compiler = findCompiler(check.project, check.env)
  if (compiler === undefined) return undefined
  const directory = mkdtempSync(join(tmpdir(), "mcp-exec-types-"))
  try {
    writeFileSync(join(directory, "_runtime.ts"), check.runtime)
    const standIn = check.code && join(directory, "code.ts")
    if (check.code && standIn) writeFileSync(standIn, `${check.code.text}\nexport {}\n`)
    const config = configFor(check, directory, standIn)
    writeFileSync(join(directory, "tsconfig.json"), JSON.stringify(config))
    const output = await run(compiler, ["-p", directory, "--pretty", "false"], check)
    return parseDiagnostics(output).map((diagnostic) => {
      const file = resolve(check.project, diagnostic.file)
      const isCode = standIn !== undefined && basename(file) === "code.ts" && isWithin(directory, file)
      return { ...diagnostic, file: isCode ? (check.code?.name ?? file) : file }
    })
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

function configFor({ project, files, code }: TypeCheck, directory: string, standIn: string | undefined): unknown {
  const root = findTypes(project, "bun") ?? findTypes(project, "node")
  const types = root === undefined ? [] : ["bun", "node"].filter((name) => findTypes(project, name) === root)
  if (root === undefined) writeFileSync(join(directory, "runtime.d.ts"), anyRuntime)
  const sources = [...files, ...(standIn === undefined ? [] : [standIn])]
  return {
    compilerOptions: {
      target: "ESNext",
      module: "Preserve",
      moduleResolution: "bundler",
      moduleDetection: "force",
      lib: ["ESNext", "DOM", "DOM.Iterable"],
      types,
      ...(root !== undefined && { typeRoots: [root] }),
      noEmit: true,
      allowImportingTsExtensions: true,
      allowJs: true,
      resolveJsonModule: true,
      skipLibCheck: true,
      strict: true,
      // Code has no place on the disk, but imports what is beside the one it pretends to have.
      ...(code !== undefined && { rootDirs: [resolve(code.name, ".."), directory] }),
      paths: {
        "mcp-exec": [join(directory, "_runtime.ts")],
        "#servers/*": [join(project, "servers", "*", "index.ts")],
      },
    },
    files: [...sources, ...(root === undefined ? [join(directory, "runtime.d.ts")] : [])],
  }
}

function run(compiler: string, args: string[], { project, env }: TypeCheck): Promise<string> {
  const { promise, resolve: done, reject } = Promise.withResolvers<string>()
  const options = {
    cwd: project,
    env: { PATH: env.PATH, HOME: env.HOME, SystemRoot: env.SystemRoot },
    timeout: patienceMs,
    maxBuffer: 64 << 20,
    shell: process.platform === "win32",
  }
  execFile(compiler, args, options, (error, stdout, stderr) => {
    // Exit codes 1 and 2 are how it says that it has found something.
    if (error !== null && typeof error.code !== "number") reject(error)
    else if (error !== null && stdout.trim() === "") reject(new Error(stderr.trim() || error.message))
    else done(stdout)
  })
  return promise
}

function isWithin(directory: string, file: string): boolean {
  const path = relative(directory, file)
  return !path.startsWith(`..${sep}`) || file.includes(`${sep}${basename(directory)}${sep}`)
}
