// Builds the npm package, by default in dist/package: plain modules and their types, for Bun, Deno and Node.
// `npm run package` runs this and packs it.
//
// Module by module, not as a bundle: what is loaded lazily stays lazy, and dependencies stay the user's own.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import manifest from "../package.json" with { type: "json" }
import { guestSource } from "../src/guest/plain-file.ts"

const root = join(import.meta.dir, "..")
const target = resolve(process.argv[2] ?? join(root, "dist/package"))
const lib = join(target, "lib")

rmSync(target, { recursive: true, force: true })
mkdirSync(lib, { recursive: true })
compile()
for (const file of readdirSync(lib, { recursive: true, encoding: "utf8" })) {
  if (file.endsWith(".d.ts")) change(file, /(from |import\()"(\.[^"]+)\.ts"/g, '$1"$2.js"')
}
change("guest/run.js", 'require("./api.ts")', 'require("./api.js")')
change("main.js", "#!/usr/bin/env bun", "#!/usr/bin/env node")
// The package has no sources to join: it carries the texts.
writeModule(
  "guest/plain-file.js",
  `export async function guestSource() { return ${JSON.stringify(await guestSource())} }`,
)
writeModule(
  "skills/shipped.js",
  `const texts = new Map(${JSON.stringify(shippedSkills())})\nexport async function shippedSkill(name) { return texts.get(name) }`,
)
for (const file of ["README.md", "LICENSE", "CHANGELOG.md"]) cpSync(join(root, file), join(target, file))
writeFileSync(join(target, "package.json"), `${JSON.stringify(packageManifest(), null, 2)}\n`)

/** Types are checked by `npm run check`; here they are only written down. */
function compile(): void {
  const tsc = join(root, "node_modules/.bin/tsc")
  const command = [tsc, "-p", join(root, "tsconfig.package.json"), "--outDir", lib]
  const { exitCode, stdout } = Bun.spawnSync(command, { stdout: "pipe", stderr: "inherit" })
  if (exitCode === 0) return
  console.error(String(stdout))
  process.exit(1)
}

/** Changes a file that was written; what should be changed must be there. */
function change(file: string, from: string | RegExp, to: string): void {
  const path = join(lib, file)
  const text = readFileSync(path, "utf8")
  if (typeof from === "string" && !text.includes(from)) throw new Error(`${file} has no ${from} any more`)
  writeFileSync(path, text.replaceAll(from, to))
}

function writeModule(file: string, text: string): void {
  change(file, /^[\s\S]*$/g, "")
  writeFileSync(join(lib, file), `${text}\n`)
}

function shippedSkills(): [name: string, text: string][] {
  const files = readdirSync(join(root, "skills")).filter((name) => name.endsWith(".ts"))
  return files.sort().map((file) => [file.slice(0, -3), readFileSync(join(root, "skills", file), "utf8")])
}

function packageManifest() {
  const { name, version, description, license, dependencies } = manifest
  const library = { types: "./lib/index.d.ts", default: "./lib/index.js" }
  return {
    name,
    version,
    description,
    license,
    type: "module",
    engines: { node: ">=22.15" },
    // Where tsconfig.json or deno.json map `mcp-exec` to what scripts see of it, the library has a second name.
    exports: { ".": library, "./library": library, "./package.json": "./package.json" },
    types: "./lib/index.d.ts",
    bin: { "mcp-exec": "lib/main.js" },
    files: ["lib", "CHANGELOG.md"],
    dependencies,
  }
}
