import { describe, expect, test } from "bun:test"
import { namedServers } from "../../src/operations/prespawn.ts"

const names = ["git", "git-hub", "files", "a.b", "a+b", "x__y", "__proto__", "My server!"]

describe("a script names a server", () => {
  const cases: { code: string; want: string[] }[] = [
    { code: 'callTool("git", "status")', want: ["git"] },
    { code: "callTool('git', 'status')", want: ["git"] },
    { code: "callTool(`git`, `status`)", want: ["git"] },
    { code: 'callTool("git.status")', want: ["git"] },
    { code: 'callTool("git/status")', want: ["git"] },
    { code: 'callTool("git__status", {})', want: ["git"] },
    { code: 'listTools("git-hub")', want: ["git-hub"] },
    { code: 'import { status } from "../servers/git/index.ts"', want: ["git"] },
    { code: 'import * as files from "./servers/files"', want: ["files"] },
    { code: 'import { status } from "#servers/git"', want: ["git"] },
    { code: "const { status } = await import('#servers/git-hub/status.ts')", want: ["git-hub"] },
    { code: 'import { run } from "#servers/My-server_1a2b3c"', want: ["My server!"] },
    { code: 'export default skill({ servers: ["files", "git"] })', want: ["git", "files"] },
    { code: 'callTool("a.b", "c"); callTool("a+b", "c")', want: ["a.b", "a+b"] },
    { code: 'callTool("x__y__z")', want: ["x__y"] },
    { code: 'callTool("__proto__", "x")', want: ["__proto__"] },
    { code: 'callTool("git", "a"); callTool("files", "b"); callTool("git", "c")', want: ["git", "files"] },
  ]
  for (const { code, want } of cases) {
    test(`in ${code}`, () => expect(namedServers(code, names)).toEqual(want))
  }
})

describe("a script names no server", () => {
  const cases = [
    "",
    "const git = 1",
    '"digit"',
    '"gitx.status"',
    'callTool("axb", "c")',
    'callTool("aab", "c")',
    "// git is a server",
    'import x from "./observers/gitlab/x.ts"',
    'import x from "#servers/git_extra"',
  ]
  for (const code of cases) {
    test(`in ${JSON.stringify(code)}`, () => expect(namedServers(code, names)).toEqual([]))
  }
})
