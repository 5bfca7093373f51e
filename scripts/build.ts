// Builds dist/mcp-exec, in two steps: modules become chunks, of which each is loaded only when it is needed, and
// chunks become a few files. `npm run build` runs this.
import { resolve } from "node:path"
import type { BunPlugin } from "bun"
import { guestSource } from "../src/guest/plain-file.ts"
import { pack } from "./pack.ts"

const outfile = process.argv[2] ?? "dist/mcp-exec"

/** What is loaded lazily and yet at once, in the files that hold it: the parent of a script, other quick commands. */
const shelves = [
  ["src/cli/exec-run.ts", "src/cli/exec-attend.ts", "src/operations/daemon/attend.ts"],
  [
    "src/operations/start-ahead.ts",
    "src/cli/call-run.ts",
    "src/cli/call-arguments.ts",
    "src/operations/arguments/build.ts",
    "src/cli/read-run.ts",
    "src/operations/changed-servers.ts",
    "src/operations/list-generated.ts",
    "src/operations/search/find-tools.ts",
    "src/operations/skills/list-project.ts",
    "src/operations/skills/show-named.ts",
  ],
]

/** The binary has no sources to join: it carries the text. */
const guestAsText: BunPlugin = {
  name: "guest as text",
  setup(build) {
    build.onLoad({ filter: /\/src\/guest\/plain-file\.ts$/ }, async () => {
      const text = JSON.stringify(await guestSource())
      return { contents: `export async function guestSource() { return ${text} }`, loader: "js" }
    })
  },
}

const skillsAsText: BunPlugin = {
  name: "skills as text",
  setup(build) {
    build.onLoad({ filter: /\/src\/skills\/shipped\.ts$/ }, async () => {
      const files = await Array.fromAsync(new Bun.Glob("*.ts").scan("skills"))
      const texts = files.sort().map(async (file) => [file.slice(0, -3), await Bun.file(`skills/${file}`).text()])
      const map = JSON.stringify(await Promise.all(texts))
      const contents = `const texts = new Map(${map})\nexport async function shippedSkill(name) { return texts.get(name) }`
      return { contents, loader: "js" }
    })
  },
}

/** Of package.json only the version is read: to make all of it an object would be felt in each start. */
const versionOnly: BunPlugin = {
  name: "version only",
  setup(build) {
    build.onLoad({ filter: /\/package\.json$/ }, async ({ path }) => {
      if (path !== resolve("package.json")) return undefined
      const { version } = await Bun.file("package.json").json()
      return { contents: JSON.stringify({ version }), loader: "json" }
    })
  },
}

/** Tells this build from others of the same version, whatever time stamp it is copied with. */
async function hashOfSource(): Promise<string> {
  const hash = new Bun.CryptoHasher("sha256").update(Bun.revision)
  const files = await Array.fromAsync(new Bun.Glob("{src,skills,scripts}/**/*").scan())
  for (const file of [...files.sort(), "package-lock.json", "package.json"]) {
    hash.update(`${file}\0`).update(await Bun.file(file).bytes())
  }
  return hash.digest("hex")
}

const bundle = await Bun.build({
  entrypoints: ["src/main.ts"],
  target: "bun",
  format: "esm",
  splitting: true,
  metafile: true,
  // Names are shortened at the end: until then they tell which of them change.
  minify: { whitespace: true, syntax: true, identifiers: false },
  define: { MCP_EXEC_BUILD: JSON.stringify(await hashOfSource()) },
  plugins: [versionOnly, guestAsText, skillsAsText],
})
const chunks = await Promise.all(bundle.outputs.map(async (file) => ({ name: file.path, text: await file.text() })))
const chunkOf = new Map(
  Object.entries(bundle.metafile?.outputs ?? {}).map(([name, { entryPoint }]) => [entryPoint, name]),
)
const files = pack(
  chunks,
  chunkNamed("src/main.ts"),
  shelves.map((shelf) => shelf.map(chunkNamed)),
)

function chunkNamed(module: string): string {
  const name = chunkOf.get(module)
  if (name === undefined) throw new Error(`${module} is not loaded lazily from anywhere`)
  return name
}

const result = await Bun.build({
  entrypoints: ["/0.js"],
  files: Object.fromEntries(files.map((text, index) => [`/${index}.js`, text])),
  target: "bun",
  format: "esm",
  minify: true,
  splitting: true,
  bytecode: true,
  compile: {
    outfile,
    // A bunfig.toml in the user's folder would run its preload inside the broker.
    autoloadBunfig: false,
    autoloadDotenv: false,
    autoloadPackageJson: true,
    autoloadTsconfig: true,
  },
})
for (const message of result.logs) console.error(String(message))
if (!result.success) process.exit(1)
