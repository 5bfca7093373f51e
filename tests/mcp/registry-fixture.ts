// An npm registry that has one package: a server that is one file.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"

export interface Registry {
  url: string
  /** How many requests have come. */
  asked(): number
  stop(): void
}

/** Serves version 1.0.0 of a package whose program is this file, bundled and made for Node. */
export async function serveRegistry(folder: string, name: string, program: string): Promise<Registry> {
  const content = join(folder, "registry/package")
  mkdirSync(content, { recursive: true })
  const built = await Bun.build({ entrypoints: [program], target: "node" })
  writeFileSync(join(content, "cli.js"), `#!/usr/bin/env node\n${await built.outputs[0]?.text()}`)
  const manifest = { name, version: "1.0.0", type: "module", bin: { [name]: "cli.js" } }
  writeFileSync(join(content, "package.json"), JSON.stringify(manifest))
  const archive = join(folder, "registry/package.tgz")
  Bun.spawnSync(["tar", "-czf", archive, "-C", join(folder, "registry"), "package"])
  const integrity = `sha512-${new Bun.CryptoHasher("sha512").update(await Bun.file(archive).bytes()).digest("base64")}`
  let asked = 0
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      asked++
      const { pathname, origin } = new URL(request.url)
      if (pathname === "/package.tgz") return new Response(Bun.file(archive))
      if (pathname !== `/${name}`) return Response.json({ error: "not found" }, { status: 404 })
      const dist = { tarball: `${origin}/package.tgz`, integrity }
      const versions = { "1.0.0": { ...manifest, dist } }
      return Response.json({ name, "dist-tags": { latest: "1.0.0" }, versions })
    },
  })
  return { url: server.url.href, asked: () => asked, stop: () => void server.stop(true) }
}
