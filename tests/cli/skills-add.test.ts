import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { chmodSync, existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs"
import { createProject, type Project } from "../fixtures/project.ts"
import { declared, document } from "./published-skills.ts"

/** What others publish. */
const source = createProject({
  files: {
    "repo/skills/alpha.ts": declared("alpha"),
    "repo/skills/beta/SKILL.md": document("beta"),
    "repo/skills/beta/scripts/run.ts": 'console.log("beta ran")\n',
    "repo/skills/lib.ts": "export const a = 1\n",
    "repo/README.md": "# skills\n",
    "repo/package.json":
      '{"name":"@acme/skills","version":"1.0.0","scripts":{"prepare":"touch ran","prepack":"touch ran"}}',
    "single/SKILL.md": document("single"),
    "single/main.ts": 'console.log("single ran")\n',
    "devices/con.ts": declared("con"),
    "bad/Bad_Name.ts": declared("Bad_Name"),
    "linked/skills/gamma/SKILL.md": document("gamma"),
    "linked/skills/delta/SKILL.md": document("delta"),
    "linked/skills/delta/logo.png": "\0",
    "loose/alone.ts": `import { a } from "./lib.ts"\n${declared("alone")}`,
    "loose/lib.ts": "export const a = 1\n",
    "away/SKILL.md": document("away"),
    "away/main.ts": 'import "./lib.ts"\nawait import("../../elsewhere.ts")\n',
    "none/readme.md": "nothing here",
    // Stands for npm: packs the folder as the registry would have.
    "bin/npm": `#!/bin/sh\nwhile [ $# -gt 1 ]; do shift; done\ncd "${"$"}(dirname "$0")/.." && mkdir -p p && rm -rf p/package && cp -r repo p/package && tar -czf "$1/acme-skills-1.0.0.tgz" -C p package\n`,
  },
})
let server: ReturnType<typeof Bun.serve>
const redirects: Record<string, string> = {
  "/moved.ts": "/remote.ts",
  "/loop.ts": "/loop.ts",
  "/file.ts": "file:///etc/passwd",
}
let asked = false
const git = (...args: string[]) =>
  Bun.spawnSync(["git", "-c", "user.email=a@b", "-c", "user.name=x", ...args], { cwd: source.path("repo") })

beforeAll(() => {
  chmodSync(source.path("bin/npm"), 0o755)
  symlinkSync("/etc/passwd", source.path("linked/skills/gamma/passwd.txt"))
  git("init", "-q", "-b", "main")
  git("add", ".")
  git("commit", "-qm", "skills")
  server = Bun.serve({
    port: 0,
    fetch(request) {
      const { pathname } = new URL(request.url)
      if (pathname === "/remote.ts") return new Response(declared("remote"))
      if (pathname === "/huge.ts") return new Response("x".repeat(300_000))
      if (pathname === "/binary.ts") return new Response(new Uint8Array([0, 1]))
      if (pathname === "/page.ts") return new Response("<html>", { headers: { "content-type": "text/html" } })
      // Another name for this machine, which stands for any other that is not asked in the open.
      const target = pathname === "/elsewhere.ts" ? `http://0.0.0.0:${server.port}/asked` : redirects[pathname]
      if (target !== undefined) return new Response(null, { status: 302, headers: { location: target } })
      if (pathname === "/asked") asked = true
      return new Response("no", { status: 404 })
    },
  })
})
afterAll(() => {
  server.stop(true)
  source[Symbol.dispose]()
})
const lockOf = (project: Project) => JSON.parse(readFileSync(project.path("skills/skills.lock.json"), "utf8"))

describe("skills add", () => {
  const sources: [string, () => string, Record<string, string>][] = [
    ["a folder", () => source.path("repo"), {}],
    ["a git repository", () => `git+file://${source.path("repo")}`, {}],
    ["a branch of a git repository", () => `git+file://${source.path("repo")}#main`, {}],
    ["an npm package", () => "@acme/skills@1.0.0", { PATH: `${source.path("bin")}:${process.env.PATH}` }],
  ]
  for (const [title, from, env] of sources) {
    test(`copies the skills of ${title}, and runs nothing`, async () => {
      using project = createProject()
      const { code, stdout, stderr } = await project.run(["skills", "add", from()], { env })
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
      expect(stdout).toContain("added alpha: ")
      expect(Object.keys(lockOf(project).skills)).toEqual(["alpha", "beta"])
      expect(Object.keys(lockOf(project).skills.beta.files)).toEqual(["beta/SKILL.md", "beta/scripts/run.ts"])
      expect(readdirSync(project.path("skills")).sort()).toEqual(["alpha.ts", "beta", "skills.lock.json"])
      expect((await project.run(["exec", "alpha"])).stdout).toBe("alpha ran\n")
      expect((await project.run(["exec", "beta"])).stdout).toBe("beta ran\n")
      expect(existsSync(source.path("repo/ran"))).toBe(false)
    })
  }

  test("takes a single file, a single folder, or one of many", async () => {
    using project = createProject()
    const add = (...args: string[]) => project.run(["skills", "add", ...args])
    expect((await add(source.path("repo"), "--skill", "beta")).code).toBe(0)
    expect((await add(source.path("repo/skills/alpha.ts"))).code).toBe(0)
    expect((await add(source.path("single"))).code).toBe(0)
    expect((await add(`http://localhost:${server.port}/remote.ts`)).code).toBe(0)
    const { skills } = lockOf(project)
    expect(Object.keys(skills)).toEqual(["alpha", "beta", "remote", "single"])
    expect(skills.remote.source).toBe(`http://localhost:${server.port}/remote.ts`)
    expect((await project.run(["exec", "remote"])).stdout).toBe("remote ran\n")
    expect((await project.run(["exec", "single"])).stdout).toBe("single ran\n")
  })

  const misuse: [string, () => string[], number, string][] = [
    ["nothing there", () => [source.path("missing")], 2, "There is no file or folder"],
    ["no skill", () => [source.path("none")], 2, "There is no skill in"],
    ["a bad name", () => [source.path("bad")], 2, "'Bad_Name' is not a name for a skill"],
    ["an unknown skill", () => [source.path("repo"), "--skill", "alpa"], 2, "Did you mean 'alpha'?"],
    ["an empty word", () => [""], 2, "The source is empty"],
    ["an option for npm", () => ["--", "--registry=http://x"], 2, "neither a path, an address nor"],
    ["a strange protocol", () => ["ext::sh -c touch% /tmp/x"], 2, "neither a path, an address nor"],
    ["ftp", () => ["ftp://example.com/x.ts"], 2, "is not an address that skills can be added from"],
    ["http elsewhere", () => ["http://example.com/x.ts"], 2, "is not encrypted"],
    ["a missing page", () => [`http://localhost:${server.port}/none.ts`], 1, "HTTP 404"],
    ["a huge file", () => [`http://localhost:${server.port}/huge.ts`], 2, "is too large for a skill"],
    ["a binary file", () => [`http://localhost:${server.port}/binary.ts`], 2, "is not text"],
    ["a web page", () => [`http://localhost:${server.port}/page.ts`], 2, "is a web page"],
    ["a server that is not there", () => ["http://localhost:1/x.ts"], 1, "cannot be fetched"],
    ["a web address that leads to a file", () => [`http://localhost:${server.port}/file.ts`], 2, "leads where"],
    ["one that leads to another network", () => [`http://localhost:${server.port}/elsewhere.ts`], 2, "leads where"],
    ["one that leads nowhere", () => [`http://localhost:${server.port}/loop.ts`], 1, "from one address to the next"],
    ["an address that is not properly encoded", () => [`http://localhost:${server.port}/%zz.ts`], 1, "HTTP 404"],
    ["a device", () => ["/dev/null"], 2, "is a pipe or a device"],
    ["a link in a skill", () => [source.path("linked")], 2, "gamma/passwd.txt is not a regular file"],
    ["an import of what is beside it", () => [source.path("loose")], 2, "alone.ts imports ./lib.ts, which is not part"],
    ["an import out of its folder", () => [source.path("away")], 2, "away/main.ts imports ../../elsewhere.ts"],
    ["the name of a device", () => [source.path("devices")], 2, "cannot be the name of a file on Windows"],
    ["no repository", () => [`git+file://${source.path("none")}`], 1, "git failed: fatal:"],
    ["no such branch", () => [`git+file://${source.path("repo")}#nope`], 1, "git failed:"],
  ]
  for (const [title, args, code, says] of misuse) {
    test(`refuses ${title}, and writes nothing`, async () => {
      using project = createProject()
      const result = await project.run(["skills", "add", ...args()])
      expect(result).toMatchObject({ code, stdout: "", stderr: expect.stringContaining(says) })
      expect(existsSync(project.path("skills"))).toBe(false)
      expect(asked).toBe(false)
    })
  }

  test("tells what of a skill was left out", async () => {
    using project = createProject()
    const { code, stderr } = await project.run(["skills", "add", source.path("linked"), "--skill", "delta"])
    expect([code, stderr]).toEqual([0, "  logo.png was left out: it is not text\n"])
  })

  test("follows an address to another on the same machine, and keeps no secret of it", async () => {
    using project = createProject()
    const { code } = await project.run(["skills", "add", `http://me:p@ss@localhost:${server.port}/moved.ts?key=secret`])
    expect(code).toBe(0)
    expect(lockOf(project).skills.moved.source).toBe(`http://localhost:${server.port}/moved.ts`)
  })

  test("keeps what the lock says of skills that are added at the same time", async () => {
    const names = ["one", "two", "three", "four", "five"]
    using project = createProject({
      files: Object.fromEntries(names.map((name) => [`from/${name}.ts`, declared(name)])),
    })
    const results = await Promise.all(names.map((name) => project.run(["skills", "add", `from/${name}.ts`])))
    expect(results.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0])
    expect(Object.keys(lockOf(project).skills)).toEqual(names.toSorted())
    expect(readdirSync(project.path("skills")).filter((name) => name.startsWith("."))).toEqual([])
  })

  test("does not replace a skill, unless told to, and then adds all or none", async () => {
    using project = createProject({ files: { "skills/beta.ts": declared("beta") } })
    expect(await project.run(["skills", "add", source.path("repo")])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--force"),
    })
    expect(readdirSync(project.path("skills"))).toEqual(["beta.ts"])
    expect((await project.run(["skills", "add", source.path("repo"), "--force"])).code).toBe(0)
    expect(readdirSync(project.path("skills")).sort()).toEqual(["alpha.ts", "beta", "skills.lock.json"])
  })
})
