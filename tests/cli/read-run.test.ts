// The short way of `ls`, `cat` and `search` says what the ordinary one says. An option before the command leads
// to the ordinary one.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { createProject, type Project } from "../fixtures/project.ts"

let project: Project
beforeAll(async () => {
  const skill = `import { skill } from "mcp-exec"
export default skill({ name: "tidy-up", description: "Moves old downloads to an archive." }, () => "done")
`
  project = createProject({
    servers: {
      files: { type: "builtin", name: "filesystem", args: ["."] },
      memory: { type: "builtin", name: "memory" },
    },
    files: { "skills/tidy-up.ts": skill },
  })
  expect((await project.run(["generate"])).code).toBe(0)
  // From now on one server is missing in servers/, which is warned of.
  project.write({
    "mcp_config.json": JSON.stringify({ mcpServers: { files: { type: "builtin", name: "filesystem", args: ["."] } } }),
  })
})
afterAll(() => project[Symbol.dispose]())

describe.each([
  ["a list of everything", ["ls"], 0],
  ["a list in JSON", ["ls", "--json"], 0],
  ["a quiet list", ["ls", "skills", "--quiet"], 0],
  ["a list of tools", ["ls", "files"], 0],
  ["a list of too much", ["ls", "files", "memory"], 2],
  ["a list of what there is not", ["ls", "filez"], 2],
  ["a list with help", ["ls", "--help"], 0],
  ["a tool", ["cat", "files.read_text_file"], 0],
  ["its source", ["cat", "files.readTextFile", "--source"], 0],
  ["a skill in JSON", ["cat", "tidy-up", "--json"], 0],
  ["a tool that there is not", ["cat", "files.read_text_fil"], 2],
  ["the same in JSON", ["cat", "files.read_text_fil", "--json"], 2],
  ["nothing to show", ["cat"], 2],
  ["a search", ["search", "read a file"], 0],
  ["a search with all options", ["search", "--detail", "full", "read", "--server", "files", "--limit", "2"], 0],
  ["a search by the names", ["search", "downloads", "--detail", "name", "--json"], 0],
  ["a search for what there is not", ["search", "zzqqxx"], 0],
  ["a search of no server", ["search", "read", "--server", "fils"], 2],
  ["a search at a wrong level", ["search", "read", "--detail", "everything"], 2],
  ["a search for too many", ["search", "read", "--limit", "0"], 2],
  ["a search for nothing", ["search"], 2],
  ["an unknown option", ["search", "read", "--fast"], 2],
  ["a configuration that is missing", ["ls", "--config", "none.json"], 3],
  ["a list in another folder", ["ls", "--cwd", "skills"], 0],
  [
    "a search in another folder, with a configuration",
    ["search", "--cwd", "skills", "--config", "../mcp_config.json", "read"],
    0,
  ],
  ["a list in a folder that there is not", ["ls", "--cwd", "none"], 2],
  ["a list in a file", ["ls", "--cwd", "skills/tidy-up.ts"], 2],
  ["a configuration that is named", ["ls", "--config", "mcp_config.json", "--verbose"], 0],
])("%s", (_, argv, code) => {
  test("is the same in both ways", async () => {
    const [short, ordinary] = await Promise.all([project.run(argv), project.run(["--no-color", ...argv])])
    expect(short).toEqual(ordinary)
    expect(short.code).toBe(code)
  })
})

test("a reader that has seen enough is no error", async () => {
  const program = [process.execPath, `${import.meta.dir}/../../src/main.ts`].map((word) => `'${word}'`).join(" ")
  const line = `${program} ls files 2>&1 | head -1; echo "\${PIPESTATUS[0]}"`
  const { stdout } = await project.run(["-c", line], { program: ["bash"] })
  expect(stdout.trim().split("\n")).toHaveLength(2)
  expect(stdout).toEndWith("\n0\n")
})

test.each([
  ["with nothing to print", ["cat", "nothing"], ""],
  ["with a result", ["ls", "skills"], "tidy-up"],
])("what is in the file that stdout is stays there, %s", async (_, argv, printed) => {
  const program = [process.execPath, `${import.meta.dir}/../../src/main.ts`]
  const file = project.path("out.txt")
  const script = 'exec >"$0"; echo before; "$@"; echo after'
  const child = Bun.spawn(["sh", "-c", script, file, ...program, ...argv], {
    cwd: project.directory,
    env: project.envFor(argv),
    stderr: "ignore",
  })
  await child.exited
  const text = await Bun.file(file).text()
  expect(text).toStartWith(`before\n${printed}`)
  expect(text).toEndWith("after\n")
  expect(text).not.toContain("\0")
})
