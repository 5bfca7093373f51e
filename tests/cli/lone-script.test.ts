import { describe, expect, test } from "bun:test"
import { isLone, speaksToRuntime } from "../../src/cli/lone-script.ts"

const lone: Record<string, string> = {
  "prints a line": 'console.log("hello")',
  "has arguments, streams and an exit code":
    'const [name] = process.argv.slice(2)\nprocess . stdout.write(name)\nprocess.on("exit", () => {})\nprocess.exit(3)',
  "reads and writes files":
    'import { readFileSync } from "node:fs"\nimport * as path from "path"\nawait Bun.write("out", readFileSync(path.join("a", "b")))',
  "imports over several lines": "import {\n  readFile,\n  writeFile as write,\n} from 'node:fs/promises'\nwrite",
  "imports types of anything": 'import type { Row } from "./rows.ts"\nexport const rows: Row[] = []',
  "knows where it is": "if (import.meta.main) console.log(import.meta.dir)",
  "waits and has a main": "export async function main() { await Bun.sleep(1); return Array.from('abc') }",
}

const others: Record<string, string> = {
  "looks at the environment": "console.log(process.env.HOME)",
  "takes the process apart": "const { env } = process",
  "names its parts by text": 'console.log(process["env"], Bun["env"])',
  "has a comment between": "process/**/.env",
  "starts processes": 'Bun.spawn(["ls"])',
  "starts them by a module": 'import { spawn } from "node:child_process"',
  "starts them in a shell": 'import { $ } from "bun"\nawait $`ls`',
  "imports a file": 'import { a } from "./a.ts"',
  "imports for an effect": 'import "./a.ts"',
  "imports a package": 'import chalk from "chalk"',
  "passes a file on": 'export * from "./a.ts"',
  "passes one on in backticks of a template": "const text = `export * from './a.ts'`",
  "imports late": 'await import("node:child_process")',
  "imports after a plain import": 'import fs from "node:fs"; import cp from "node:child_process"',
  requires: 'require("child_process")',
  "calls tools": 'import { callTool } from "mcp-exec"',
  "asks the network": 'await fetch("http://localhost")',
  "starts a thread": 'new Worker("./a.ts")',
  "makes code": 'new Function("return 1")()',
  "makes code from any function": '(() => {}).constructor("return 1")()',
  "goes through the global object": "globalThis.x = 1",
  "hides a name": "p\\u0072ocess.env",
  "hides it in a template": "const a = `$" + "{process.env.HOME}`",
  "reads what the system knows of it": 'await Bun.file("/proc/self/environ").text()',
  "reads what is elsewhere": 'await Bun.file("s3://bucket/key").text()',
  "changes where it is": 'process.chdir("/")',
  "sends signals": "process.kill(1)",
  "takes a module of the process": 'process.getBuiltinModule("node:child_process")',
  "goes on where a plain member ends": "process.exitCodes; process.stdoutX",
  "asks how colourful the terminal is, which is known from the environment":
    "process.stdout.getColorDepth(); process.stderr.hasColors()",
  "has text coloured accordingly": 'import { styleText as style } from "node:util"',
  "names a wrapper": 'import { x } from "./servers/a/x.ts"',
  "is very long": `// ${"x".repeat(100_000)}`,
}

describe("nobody can tell where a script runs that", () => {
  for (const [name, text] of Object.entries(lone)) test(name, () => expect(isLone(text)).toBe(true))
})

describe("somebody might tell of one that", () => {
  for (const [name, text] of Object.entries(others)) test(name, () => expect(isLone(text)).toBe(false))
})

test("the runtime is spoken to by its own variables only", () => {
  const silent = {
    PATH: "",
    NODE: "/usr/bin/node",
    NODE_EXTRA_CA_CERTS: "a",
    COLOR: "1",
    NODE_TLS_REJECT_UNAUTHORIZED: "0",
  }
  expect(speaksToRuntime(silent)).toBe(false)
  for (const name of ["BUN_JSC_useJIT", "NODE_ENV", "NODE_OPTIONS", "FORCE_COLOR", "NO_COLOR"]) {
    expect(speaksToRuntime({ ...silent, [name]: "" })).toBe(true)
  }
})
