// What README shows was run, and still prints what it shows: every command of its consoles, in one shell, in an
// empty folder, with the compiled program. Files that it names are written where it names them.
import { afterAll, beforeAll, expect, test } from "bun:test"
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { repository } from "./fixtures/project.ts"
import { builtProgram, engines } from "./sandbox/program.ts"

type Step = { file: string; text: string } | { command: string; expected: string }

const mark = "\u0001"
const steps = readSteps(readFileSync(join(repository, "README.md"), "utf8"))
const home = realpathSync(mkdtempSync(join(tmpdir(), "mcp-exec-readme-")))
/** What each step printed. */
let printed: string[] = []

beforeAll(async () => {
  const project = join(home, "project")
  mkdirSync(project)
  const { PATH, DOCKER_HOST } = process.env
  const env = { PATH: `${dirname(builtProgram())}:${PATH}`, HOME: home, MCP_EXEC_DAEMON: "0" }
  const shell = Bun.spawn(["bash", "-c", steps.map(scriptFor).join("\n")], {
    cwd: project,
    env: DOCKER_HOST === undefined ? env : { ...env, DOCKER_HOST },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  })
  const [stdout, stderr] = await Promise.all([new Response(shell.stdout).text(), new Response(shell.stderr).text()])
  expect(stderr).toBe("")
  printed = stdout.split(mark).slice(1)
}, 300_000)
afterAll(() => rmSync(home, { recursive: true, force: true }))

test("README has commands and files", () => {
  const commands = steps.filter((step) => "command" in step)
  expect(commands.length).toBeGreaterThan(30)
  expect(steps.length - commands.length).toBeGreaterThan(5)
})

for (const [at, step] of steps.entries()) {
  if (!("command" in step)) continue
  test.skipIf(isSkipped(step.command))(`README: ${step.command.split("\n")[0]}`, () => {
    expect(comparable(printed[at] ?? "nothing was run")).toBe(comparable(step.expected))
  })
}

/** What the shell does for a step. */
function scriptFor(step: Step): string {
  const begin = `printf '${mark}'`
  if ("command" in step) return isSkipped(step.command) ? begin : `${begin}\n{ ${step.command}\n} 2>&1`
  return `${begin}\nmkdir -p '${dirname(step.file)}'\ncat > '${step.file}' <<'END-OF-FILE'\n${step.text}\nEND-OF-FILE`
}

/** Without an engine, which is remarked on loudly where engines are looked for. */
function isSkipped(command: string): boolean {
  return engines.length === 0 && command.includes("exec") && / --sandbox (?!data)/.test(command)
}

/** Without what differs from run to run: times, and where the folder is. */
function comparable(output: string): string {
  return output
    .replaceAll(home, "~")
    .replace(/\d+ ms/g, "N ms")
    .replace(/("durationMs": )[\d.]+/g, "$1N")
    .trim()
}

/** Files and commands, in the order of the text. */
function readSteps(text: string): Step[] {
  return [...text.matchAll(/(?:^`([\w./-]+\.\w+)`[^\n]*:\n\n)?^```(\w+)\n(.*?)^```$/gms)].flatMap(
    ([, file, language, content = ""]): Step[] => {
      if (language === "console") return readConsole(content)
      return file === undefined ? [] : [{ file, text: content.trimEnd() }]
    },
  )
}

/** `$ ` begins a command; it goes on over `> ` and here-documents. The rest is what it prints. */
function readConsole(content: string): Step[] {
  return content
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const lines = part.trimEnd().split("\n")
      let length = 1
      while (lines[length]?.startsWith("> ")) length++
      const terminator = /<<'(\w+)'/.exec(lines[0] ?? "")?.[1]
      if (terminator !== undefined) length = lines.indexOf(terminator) + 1
      const command = lines.slice(0, length).map((line, at) => (at === 0 ? line : line.replace(/^> /, "")))
      return { command: command.join("\n"), expected: lines.slice(length).join("\n") }
    })
}
