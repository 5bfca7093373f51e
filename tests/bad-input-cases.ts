// What users get wrong, and what they are to be told.
import { fixtureServer, placeholder } from "./fixtures/config.ts"
import type { ProjectInput } from "./fixtures/project.ts"

export const folder: ProjectInput = {
  servers: {
    echo: { type: "builtin", name: "echo" },
    off: { type: "builtin", name: "echo", disabled: true },
    denied: { type: "builtin", name: "echo", tools: { deny: ["fail"] } },
    unset: { command: "x", env: { KEY: placeholder("NOT_SET_ANYWHERE") } },
    // Port 9 is the discard service: nobody listens there.
    unreachable: { url: "http://127.0.0.1:9/mcp" },
    missing: { command: "no-such-program-anywhere" },
    exits: fixtureServer("exits"),
    silent: { ...fixtureServer("silent"), timeout: 300 },
    hang: { ...fixtureServer("hang"), timeout: 5000 },
    crash: fixtureServer("crash"),
  },
  files: {
    "folder/x.ts": "",
    "syntax.ts": "const x = 1\nconst = 5\n",
    "throws.ts": "throw new RangeError('too far')",
    "loop.ts": "for (;;) {}",
    "call.ts":
      'import { callTool } from "mcp-exec"\nconst [name = "", args = "{}"] = process.argv.slice(2)\nawait callTool(name, JSON.parse(args))',
    "bad/invalid.json": '{"mcpServers": {"a": {"command": 5}}}',
    "bad/syntax.json": '{\n  "mcpServers": {\n    "a": oops\n  }\n}',
    "bad/empty.json": "",
  },
}

export interface Case {
  name: string
  argv: string[]
  code: string
  exit: number
  says: string
  /** Where the hint must lead; absent where the message is the whole story. */
  hint?: string
  /** As a script meets it: its call, which fails with the same code. */
  inScript?: string[]
}

export const cases: Case[] = [
  {
    name: "a missing file",
    argv: ["exec", "nope.ts"],
    code: "E_SCRIPT_NOT_FOUND",
    exit: 2,
    says: "nope.ts",
    hint: "Looked for",
  },
  {
    name: "a directory",
    argv: ["exec", "folder"],
    code: "E_SCRIPT_NOT_FOUND",
    exit: 2,
    says: "is a directory",
    hint: "folder/script.ts",
  },
  { name: "an unknown command", argv: ["exce", "a.ts"], code: "E_USAGE", exit: 2, says: "exce", hint: "exec" },
  {
    name: "an unknown server",
    argv: ["call", "ecoh.add"],
    code: "E_SERVER_UNKNOWN",
    exit: 2,
    says: "'ecoh'",
    hint: "Did you mean 'echo'?",
    inScript: ["ecoh.add"],
  },
  {
    name: "an unknown tool",
    argv: ["call", "echo.ad"],
    code: "E_TOOL_UNKNOWN",
    exit: 2,
    says: "'ad'",
    hint: "Did you mean 'add'?",
    inScript: ["echo.ad"],
  },
  {
    name: "a name that is no tool's",
    argv: ["call", "echo"],
    code: "E_USAGE",
    exit: 2,
    says: "'echo'",
    hint: "server.tool",
    inScript: ["echo"],
  },
  {
    name: "a wrong argument",
    argv: ["call", "echo.add", "a=1", "b=x"],
    code: "E_TOOL_ARGUMENTS",
    exit: 2,
    says: "b must be a number",
    hint: "Usage: mcp-exec call echo.add",
  },
  {
    name: "a missing argument",
    argv: ["call", "echo.add", "a=1"],
    code: "E_TOOL_ARGUMENTS",
    exit: 2,
    says: "missing argument b",
    hint: "Usage: mcp-exec call echo.add",
  },
  {
    name: "arguments that are not JSON",
    argv: ["call", "echo.add", "--args", "{a:1}"],
    code: "E_USAGE",
    exit: 2,
    says: "not valid JSON",
    hint: "double quotes",
  },
  {
    name: "a disabled server",
    argv: ["call", "off.echo"],
    code: "E_SERVER_DISABLED",
    exit: 3,
    says: "'off'",
    hint: "`disabled`",
    inScript: ["off.echo"],
  },
  {
    name: "a denied tool",
    argv: ["call", "denied.fail", "message=x"],
    code: "E_TOOL_DENIED",
    exit: 5,
    says: "'fail'",
    hint: "tools",
    inScript: ["denied.fail", '{"message":"x"}'],
  },
  {
    name: "a config that does not validate",
    argv: ["servers", "--config", "bad/invalid.json"],
    code: "E_CONFIG_INVALID",
    exit: 3,
    says: "mcpServers.a.command",
    hint: "Correct the file",
  },
  {
    name: "a config that is not JSON",
    argv: ["servers", "--config", "bad/syntax.json"],
    code: "E_CONFIG_SYNTAX",
    exit: 3,
    says: "syntax.json:3:10",
    hint: "double quotes",
  },
  {
    name: "an empty config",
    argv: ["exec", "--config", "bad/empty.json", "throws.ts"],
    code: "E_CONFIG_SYNTAX",
    exit: 3,
    says: "empty",
    hint: "mcpServers",
  },
  {
    name: "a config that is not there",
    argv: ["exec", "--config", "none.json", "throws.ts"],
    code: "E_CONFIG_NOT_FOUND",
    exit: 3,
    says: "none.json",
    hint: "--config",
  },
  {
    name: "an unset variable",
    argv: ["call", "unset.tool"],
    code: "E_CONFIG_VARIABLE",
    exit: 3,
    says: "NOT_SET_ANYWHERE",
    hint: "Export NOT_SET_ANYWHERE",
    inScript: ["unset.tool"],
  },
  {
    name: "an address where nobody answers",
    argv: ["call", "unreachable.tool"],
    code: "E_SERVER_CONNECT",
    exit: 4,
    says: "http://127.0.0.1:9/mcp",
    hint: "Is it running?",
    inScript: ["unreachable.tool"],
  },
  {
    name: "a command that is not found",
    argv: ["call", "missing.tool"],
    code: "E_SERVER_CONNECT",
    exit: 4,
    says: "no-such-program-anywhere",
    hint: "Install it",
    inScript: ["missing.tool"],
  },
  {
    name: "a server that exits at once",
    argv: ["call", "exits.tool"],
    code: "E_SERVER_CONNECT",
    exit: 4,
    says: "exited with code 7",
    hint: "API_KEY is not set",
    inScript: ["exits.tool"],
  },
  {
    name: "a server that never answers",
    argv: ["call", "silent.tool"],
    code: "E_SERVER_TIMEOUT",
    exit: 4,
    says: "within 300 ms",
    hint: "Raise `timeout`",
    inScript: ["silent.tool"],
  },
  {
    name: "a server that dies during a call",
    argv: ["call", "crash.crash"],
    code: "E_SERVER_CLOSED",
    exit: 4,
    says: "exited with code 3",
    hint: "the disk is on fire",
    inScript: ["crash.crash"],
  },
  {
    name: "a tool that fails",
    argv: ["call", "echo.fail", "message=no luck"],
    code: "E_TOOL_FAILED",
    exit: 1,
    says: "no luck",
    inScript: ["echo.fail", '{"message":"no luck"}'],
  },
  {
    name: "a tool that takes too long",
    argv: ["call", "hang.hang", "--timeout", "0.2"],
    code: "E_TOOL_TIMEOUT",
    exit: 124,
    says: "within 200 ms",
    hint: "timeout",
    inScript: ["hang.hang"],
  },
]
