// Builds dist/mcp-exec. `npm run build` runs this.
//
// Code splitting puts every module that two lazy parts share into a file of its own, and each file
// costs a tenth of a millisecond to load. The way to a script's first line would need nine of them.
// So what `exec` needs at once is bundled a second time, as one file: a copy marked `?direct`.
import { dirname, resolve } from "node:path"
import type { BunPlugin } from "bun"
import { guestSource } from "../src/guest/plain-file.ts"

const outfile = process.argv[2] ?? "dist/mcp-exec"
const direct = "?direct"

const oneFileForExec: BunPlugin = {
  name: "one file for exec",
  setup(build) {
    build.onResolve({ filter: /\.(ts|json)$/ }, ({ path, importer, kind }) => {
      const fromCopy = importer.endsWith(direct)
      const isEntrance = importer.endsWith("/src/main.ts") && path === "./cli/exec-run.ts"
      if (!fromCopy && !isEntrance) return undefined
      const file = resolve(dirname(importer), path)
      // What every run needs is part of the copy; what else it imports lazily is the ordinary, shared module.
      const isAlwaysNeeded = isEntrance || kind === "import-statement" || path === "./exec-attend.ts"
      return { path: isAlwaysNeeded ? file + direct : file }
    })
    build.onLoad({ filter: /\?direct$/ }, async ({ path }) => {
      const file = path.slice(0, -direct.length)
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

const result = await Bun.build({
  entrypoints: ["src/main.ts"],
  target: "bun",
  format: "esm",
  minify: true,
  splitting: true,
  bytecode: true,
  plugins: [oneFileForExec, guestAsText, skillsAsText],
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
