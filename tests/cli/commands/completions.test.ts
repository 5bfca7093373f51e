import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { repository } from "../../fixtures/project.ts"
import { createFolder, type Folder, run } from "../captured-io.ts"
import { echo } from "../servers-config.ts"

let folder: Folder
beforeAll(async () => {
  folder = await createFolder({ echo })
  mkdirSync(join(folder.path, "skills"))
  writeFileSync(
    join(folder.path, "skills/tidy-up.ts"),
    `import { arg, skill } from "mcp-exec"
export default skill(
  {
    name: "tidy-up",
    description: "Moves \\\`old\\\` $files away.",
    args: { maxAge: arg.integer({ default: 30 }), mode: arg.enum(["move", "copy"]), list: arg.file() },
  },
  () => "done",
)
`,
  )
  expect((await run(["generate"], { cwd: folder.path })).exitCode).toBe(0)
})
afterAll(() => folder[Symbol.asyncDispose]())

/** The words offered for a line, the last of which is being typed, and what the shell is told about files. */
async function offered(...words: string[]): Promise<{ values: string[]; files: boolean }> {
  const { exitCode, stdout, stderr } = await run(["complete", "--", ...words], { cwd: folder.path })
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" })
  const lines = stdout.trimEnd().split("\n")
  return { values: lines.slice(0, -1).map((line) => line.split("\t")[0] ?? ""), files: lines.at(-1) === ":0" }
}

const cases: { words: string[]; values: string[]; files: boolean }[] = [
  { words: ["comp"], values: ["completions"], files: false },
  { words: ["exec", ""], values: ["tidy-up"], files: true },
  { words: ["exec", "--time"], values: ["--timeout"], files: false },
  { words: ["exec", "--timeout", ""], values: [], files: false },
  { words: ["exec", "--server", ""], values: ["echo"], files: false },
  { words: ["exec", "--server", "echo", ""], values: ["tidy-up"], files: true },
  { words: ["exec", "tidy-up", "--"], values: ["--max-age", "--mode", "--list", "--help"], files: false },
  { words: ["exec", "tidy-up", "--m"], values: ["--max-age", "--mode"], files: false },
  { words: ["exec", "tidy-up", "--mode", ""], values: ["move", "copy"], files: false },
  { words: ["exec", "tidy-up", "--list", ""], values: [], files: true },
  { words: ["exec", "other.ts", "--"], values: [], files: true },
  { words: ["exec", "-e", "1", "--server", ""], values: [], files: true },
  { words: ["cat", "echo."], values: ["echo.add", "echo.echo", "echo.fail", "echo.sleep"], files: false },
  { words: ["cat", "tid"], values: ["tidy-up"], files: false },
  { words: ["call", "echo.a"], values: ["echo.add"], files: false },
  { words: ["ls", ""], values: ["skills", "servers", "echo"], files: false },
  { words: ["search", "--detail", "f"], values: ["full"], files: false },
  { words: ["skills", "sh"], values: ["show"], files: false },
  { words: ["skills", "show", ""], values: ["tidy-up"], files: true },
  { words: ["completions", "z"], values: ["zsh"], files: false },
  { words: ["nonsense", "x"], values: [], files: false },
]

describe("what may follow", () => {
  for (const { words, values, files } of cases) {
    test(words.map((word) => word || "''").join(" "), async () => {
      expect(await offered(...words)).toEqual({ values, files })
    })
  }

  test("has no word that a shell would run, and no description that one would expand", async () => {
    const manifest = join(folder.path, "servers/index.json")
    const { servers } = await Bun.file(manifest).json()
    servers["$(touch hacked)"] = servers.echo
    servers.echo.tools["a b"] = servers.echo.tools.add
    await Bun.write(manifest, JSON.stringify({ format: 1, servers }))
    expect((await offered("ls", "")).values).toEqual(["skills", "servers", "echo"])
    expect((await offered("call", "")).values).not.toContain("echo.a b")
    const { stdout } = await run(["complete", "--", "exec", "ti"], { cwd: folder.path })
    expect(stdout).toBe("tidy-up\tMoves old files away.\n:0\n")
  })

  test("is nothing where nothing can be read", async () => {
    await using empty = await createFolder(undefined)
    expect((await run(["complete", "--", "cat", ""], { cwd: empty.path })).stdout).toBe(":4\n")
  })
})

describe("completions", () => {
  for (const shell of ["bash", "zsh", "fish", "powershell"]) {
    test(`prints a script for ${shell} that asks mcp-exec`, () => {
      const { stdout, exitCode } = Bun.spawnSync([process.execPath, "src/main.ts", "completions", shell], {
        cwd: repository,
      })
      expect(exitCode).toBe(0)
      expect(stdout.toString()).toMatch(/mcp-exec complete .?--/)
    })
  }

  const bashCases: { title: string; words: string[]; want: string }[] = [
    { title: "a skill", words: ["exec", "tid"], want: "tidy-up" },
    { title: "an option", words: ["exec", "tidy-up", "--ma"], want: "--max-age" },
    { title: "a value after =", words: ["search", "--detail", "=", "fu"], want: "full" },
    { title: "an empty value after =", words: ["search", "--detail", "="], want: "name description full" },
    { title: "nothing", words: ["nonsense", "x"], want: "" },
    { title: "a line that would run something", words: ["cat", "$(touch hacked)", "tid"], want: "tidy-up" },
    { title: "an open quote", words: ["cat", '"tid'], want: "" },
  ]
  for (const { title, words, want } of bashCases) {
    test(`in a real bash complete ${title}`, () => {
      const program = `mcp-exec() { ${JSON.stringify(process.execPath)} ${JSON.stringify(join(repository, "src/main.ts"))} "$@"; }`
      const line = ["mcp-exec", ...words].map((word) => `'${word}'`).join(" ")
      // Twice, as in a shell whose start file is read again.
      const text = `for i in 1 2; do source <(mcp-exec completions bash); done
        COMP_WORDS=(${line}); COMP_CWORD=${words.length}; _mcp_exec; printf '%s' "\${COMPREPLY[*]}"`
      const { stdout, stderr } = Bun.spawnSync(["bash", "--norc", "-c", `${program}\n${text}`], { cwd: folder.path })
      expect({ stdout: stdout.toString(), stderr: stderr.toString() }).toEqual({ stdout: want, stderr: "" })
      expect(existsSync(join(folder.path, "hacked"))).toBe(false)
    })
  }

  test("refuses other shells", async () => {
    expect((await run(["completions", "tcsh"], { cwd: folder.path })).exitCode).toBe(2)
  })
})
