// The image that sandboxes run from: this program and the shared libraries it needs, nothing else.
// It is made here, so no registry is asked, and named after its content, so it is made once.
import { createHash } from "node:crypto"
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, realpathSync, rmSync, writeSync } from "node:fs"
import { dirname, join } from "node:path"
import { McpExecError } from "../../errors.ts"
import { removeStale } from "../../platform/private-directory.ts"
import { version } from "../../version.ts"
import { readElf } from "./elf.ts"
import { askEngine, complaintOf, type EngineProgram, type Environment } from "./engine-command.ts"
import { imageRepository, machine, programInside } from "./program.ts"
import { type TarEntry, tarOf } from "./tar.ts"

const triplet = machine === "arm64" ? "aarch64-linux-gnu" : "x86_64-linux-gnu"

export interface SandboxImage {
  name: string
  made: boolean
}

/** Makes the image unless the engine has it. */
export async function ensureImage(
  engine: EngineProgram,
  program: string,
  { env, cacheDirectory, say }: { env: Environment; cacheDirectory: string; say: (text: string) => void },
): Promise<SandboxImage> {
  const entries = imageEntries(program)
  const hash = createHash("sha256")
  for (const piece of tarOf(entries)) hash.update(piece)
  const name = `${imageRepository}:${version}-${hash.digest("hex").slice(0, 16)}`
  if ((await askEngine(engine, ["image", "inspect", "--format", "{{.Id}}", name], env)).code === 0) {
    return { name, made: false }
  }
  const folder = join(cacheDirectory, "sandbox")
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  say(`Making the sandbox's image for ${engine.name}, once for this version…`)
  removeStale(folder)
  const archive = join(folder, `${process.pid}.${crypto.randomUUID()}.tar`)
  try {
    writePieces(archive, tarOf(entries))
    const answer = await askEngine(engine, ["import", archive, name], env)
    if (answer.code !== 0) {
      throw new McpExecError("E_SANDBOX", `${engine.name} could not take the sandbox's image: ${complaintOf(answer)}`, {
        hint: `Check that ${engine.name} works and has room: ${engine.name} info`,
      })
    }
  } finally {
    rmSync(archive, { force: true })
  }
  return { name, made: true }
}

function writePieces(path: string, pieces: Iterable<Uint8Array>): void {
  const file = openSync(path, "wx", 0o600)
  try {
    for (const piece of pieces) for (let at = 0; at < piece.length; ) at += writeSync(file, piece, at)
  } finally {
    closeSync(file)
  }
}

function imageEntries(program: string): TarEntry[] {
  const content = readFileSync(program)
  const needs = readElf(content)
  if (needs === undefined) throw new McpExecError("E_SANDBOX", `${program} is not a program for Linux`)
  const libraries = [...sharedLibraries(needs)].sort(([a], [b]) => (a < b ? -1 : 1))
  const folders = new Set(["bin", "dev", "etc", "proc", "run", "run/mcp-exec", "sys"])
  for (const [path] of libraries) for (const folder of foldersAbove(path)) folders.add(folder)
  const text = (path: string, lines: string): TarEntry => ({
    kind: "file",
    path,
    mode: 0o644,
    content: new TextEncoder().encode(lines),
  })
  return [
    ...[...folders].sort().map((path): TarEntry => ({ kind: "directory", path: `${path}/`, mode: 0o755 })),
    { kind: "directory", path: "tmp/", mode: 0o1777 },
    { kind: "directory", path: "workspace/", mode: 0o1777 },
    text("etc/passwd", "root:x:0:0:root:/:/sbin/nologin\nnobody:x:65534:65534:nobody:/tmp:/sbin/nologin\n"),
    text("etc/group", "root:x:0:\nnobody:x:65534:\n"),
    { kind: "file", path: programInside.slice(1), mode: 0o755, content },
    ...libraries.map(([path, bytes]): TarEntry => ({ kind: "file", path: path.slice(1), mode: 0o755, content: bytes })),
  ]
}

/** Where each library is found, and its content. It keeps its place: there its loader looks for it. */
function sharedLibraries({ interpreter, libraries }: { interpreter?: string; libraries: string[] }) {
  const found = new Map<string, Uint8Array>()
  if (interpreter === undefined) return found
  found.set(interpreter, readFileSync(interpreter))
  const folders = [
    ...["/lib", "/usr/lib"].map((folder) => `${folder}/${triplet}`),
    ...["/lib64", "/usr/lib64", "/lib", "/usr/lib", dirname(realpathSync(interpreter))],
  ]
  const names = [...libraries]
  for (let name = names.shift(); name !== undefined; name = names.shift()) {
    const path = folders.map((folder) => join(folder, name ?? "")).find((each) => existsSync(each))
    if (path === undefined) {
      throw new McpExecError("E_SANDBOX", `The shared library ${name}, which mcp-exec needs, is nowhere to be found`, {
        hint: "Name an image that has it: sandbox.image in the configuration.",
      })
    }
    if (found.has(path) || path === interpreter) continue
    const content = readFileSync(path)
    found.set(path, content)
    names.push(...(readElf(content)?.libraries ?? []))
  }
  return found
}

function foldersAbove(path: string): string[] {
  const parts = path.slice(1).split("/").slice(0, -1)
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"))
}
