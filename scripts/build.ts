// Builds dist/mcp-exec. `npm run build` runs this.
//
// Code splitting puts every module that two lazy parts share into a file of its own, and each file
// costs a tenth of a millisecond to load. The way to a script's first line would need nine of them, a
// call through the daemon or a search more than twenty. So what these need is bundled once more, as one file each:
// copies whose names end in a mark.
import { dirname, resolve } from "node:path"
import type { BunPlugin } from "bun"
import { guestSource } from "../src/guest/plain-file.ts"

const outfile = process.argv[2] ?? "dist/mcp-exec"

interface Copy {
  mark: string
  /** The import that leads to the copy. */
  importer: string
  path: string
  /** What it imports lazily and needs nearly always; the rest is the ordinary, shared module. */
  lazy: string[]
}

const copies: Copy[] = [
  {
    mark: "?exec",
    importer: "/src/main.ts",
    path: "./cli/exec-run.ts",
    lazy: ["./exec-attend.ts", "./daemon/attend.ts"],
  },
  {
    mark: "?call",
    importer: "/src/main.ts",
    path: "./cli/call-run.ts",
    lazy: ["./call-arguments.ts", "../arguments/build.ts"],
  },
  {
    mark: "?read",
    importer: "/src/main.ts",
    path: "./cli/read-run.ts",
    lazy: [
      "../../operations/skills/list-project.ts",
      "../../operations/list-generated.ts",
      "../../operations/skills/show-named.ts",
      "../../operations/search/find-tools.ts",
      "./changed-servers.ts",
    ],
  },
  { mark: "?guest", importer: "/src/guest/run.ts", path: "./api.ts", lazy: [] },
]

const oneFileEach: BunPlugin = {
  name: "one file each",
  setup(build) {
    build.onResolve({ filter: /\.(ts|json)$/ }, ({ path, importer, kind }) => {
      const entered = copies.find((copy) => importer.endsWith(copy.importer) && path === copy.path)
      const inside = copies.find(({ mark }) => importer.endsWith(mark))
      const copy = entered ?? inside
      if (copy === undefined) return undefined
      const file = resolve(dirname(importer), path)
      const isPart = entered !== undefined || kind === "import-statement" || copy.lazy.includes(path)
      return { path: isPart ? file + copy.mark : file }
    })
    build.onLoad({ filter: /\?(exec|call|read|guest)$/ }, async ({ path }) => {
      const file = path.slice(0, path.lastIndexOf("?"))
      return { contents: await Bun.file(file).text(), loader: file.endsWith(".json") ? "json" : "ts" }
    })
  },
}

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

/** Tells this build from others of the same version, whatever time stamp it is copied with. */
async function hashOfSource(): Promise<string> {
  const hash = new Bun.CryptoHasher("sha256").update(Bun.revision)
  const files = await Array.fromAsync(new Bun.Glob("{src,skills}/**/*").scan())
  for (const file of [...files.sort(), "package-lock.json", "package.json", "scripts/build.ts"]) {
    hash.update(`${file}\0`).update(await Bun.file(file).bytes())
  }
  return hash.digest("hex")
}

const result = await Bun.build({
  entrypoints: ["src/main.ts"],
  target: "bun",
  format: "esm",
  minify: true,
  splitting: true,
  bytecode: true,
  define: { MCP_EXEC_BUILD: JSON.stringify(await hashOfSource()) },
  plugins: [oneFileEach, guestAsText, skillsAsText],
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
