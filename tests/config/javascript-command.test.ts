import { describe, expect, test } from "bun:test"
import { readJavaScriptCommand } from "../../src/config/javascript-command.ts"
import { errorOf, parse, parseServer, problemsOf } from "./parse.ts"

const ofPackage = (spec: string, more: object = {}) => {
  const at = spec.indexOf("@", 1)
  const [name, version] = at === -1 ? [spec, undefined] : [spec.slice(0, at), spec.slice(at + 1)]
  return { kind: "package", spec, name, version, program: undefined, args: [], ...more }
}

describe("a command that runs JavaScript", () => {
  const cases: { given: string; want: object }[] = [
    { given: "npx -y pkg", want: ofPackage("pkg") },
    { given: "npx pkg@1.2.3 --flag value", want: ofPackage("pkg@1.2.3", { args: ["--flag", "value"] }) },
    { given: "npx --yes --quiet @scope/pkg@latest -y", want: ofPackage("@scope/pkg@latest", { args: ["-y"] }) },
    { given: "npx -y -- pkg@^1.0 a", want: ofPackage("pkg@^1.0", { args: ["a"] }) },
    { given: "npx -y -p pkg@2 program a", want: ofPackage("pkg@2", { program: "program", args: ["a"] }) },
    { given: "npx --package=@scope/pkg program", want: ofPackage("@scope/pkg", { program: "program" }) },
    { given: "/usr/local/bin/npx pkg", want: ofPackage("pkg") },
    { given: "C:\\nodejs\\npx.cmd pkg", want: ofPackage("pkg") },
    { given: "bunx --bun pkg", want: ofPackage("pkg") },
    { given: "bun x pkg a", want: ofPackage("pkg", { args: ["a"] }) },
    { given: "bun run server.ts a", want: { kind: "bun", args: ["run", "server.ts", "a"] } },
    { given: "node server.js a -p 1", want: { kind: "file", args: ["./server.js", "a", "-p", "1"] } },
    { given: "node test", want: { kind: "file", args: ["./test"] } },
    { given: "node /opt/s.js s.js", want: { kind: "file", args: ["/opt/s.js", "s.js"] } },
    { given: "node ../s.js --permission", want: { kind: "file", args: ["../s.js", "--permission"] } },
    { given: "node -r pre.js s.js -r x", want: { kind: "file", args: ["-r", "pre.js", "./s.js", "-r", "x"] } },
    { given: "node -e 1+1 a", want: { kind: "file", args: ["-e", "1+1", "a"] } },
    { given: "node.exe --enable-source-maps s.js", want: { kind: "file", args: ["--enable-source-maps", "./s.js"] } },
    { given: "./server.mjs a", want: { kind: "file", args: ["./server.mjs", "a"] } },
    { given: "/opt/server.ts", want: { kind: "file", args: ["/opt/server.ts"] } },
  ]
  for (const { given, want } of cases) {
    test(given, () => {
      const [command = "", ...args] = given.split(" ")
      expect(readJavaScriptCommand(command, args)).toEqual(want as ReturnType<typeof readJavaScriptCommand>)
    })
  }
})

describe("a command that cannot be run on Bun", () => {
  const cases: { given: string; want: string }[] = [
    { given: "uvx server", want: 'the command "uvx" is not known to run JavaScript' },
    { given: "python server.py", want: 'the command "python" is not known to run JavaScript' },
    { given: "/usr/bin/docker run x", want: 'the command "docker" is not known to run JavaScript' },
    { given: "node", want: "the command is given no file to run" },
    { given: "node --permission server.js", want: "Node's permissions do not exist in Bun" },
    { given: "npx", want: "the command names no package" },
    { given: "npx -y", want: "the command names no package" },
    { given: "npx -p a -p b run", want: "the command names more than one package" },
    { given: "npx -p a", want: "the command names no package" },
    { given: "npx -c ls", want: "the option -c cannot be translated" },
    { given: "npx --registry=http://localhost pkg", want: "the option --registry cannot be translated" },
    { given: "npx github:user/repo", want: 'the package must be written as "name" or "name@version"' },
    { given: "npx ./folder", want: 'the package must be written as "name" or "name@version"' },
    { given: "npx ../x", want: 'the package must be written as "name" or "name@version"' },
    { given: "npx @a/../../b", want: 'the package must be written as "name" or "name@version"' },
    { given: "npx pkg@npm:other", want: 'the package must be written as "name" or "name@version"' },
    { given: "npx https://example.com/x.tgz", want: 'the package must be written as "name" or "name@version"' },
  ]
  for (const { given, want } of cases) {
    test(given, () => {
      const [command = "", ...args] = given.split(" ")
      expect(readJavaScriptCommand(command, args)).toStartWith(want)
    })
  }
})

describe("runtime in a configuration", () => {
  const server = { command: "npx", args: ["-y", "pkg"] }

  test("is read, and absent when nothing is said", () => {
    expect(parseServer({ ...server, runtime: "bun" })).toMatchObject({ type: "stdio", runtime: "bun" })
    expect(parseServer(server)).not.toHaveProperty("runtime")
  })

  test("can be bun alone", () => {
    expect(problemsOf({ mcpServers: { one: { ...server, runtime: "node" } } })).toEqual([
      'mcpServers.one.runtime: found "node", allowed: "bun"',
    ])
  })

  test("stops at a command that is not JavaScript, and says so", () => {
    const given = { mcpServers: { one: { command: "uvx", args: ["--token=secret"], runtime: "bun" } } }
    expect(problemsOf(given)).toEqual([
      'mcpServers.one.runtime: "bun" runs JavaScript only, and the command "uvx" is not known to run JavaScript: it must be npx, bunx, node, bun, or a JavaScript file',
    ])
    expect(errorOf(given)).toMatchObject({ code: "E_CONFIG_INVALID" })
    expect(errorOf(given).message).not.toContain("secret")
  })

  test("is left open while variables decide what is run", () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as it is written in a configuration
    expect(parseServer({ command: "${RUNNER}", runtime: "bun" })).toMatchObject({ runtime: "bun" })
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as it is written in a configuration
    expect(parseServer({ command: "npx", args: ["${PACKAGE}"], runtime: "bun" })).toMatchObject({ runtime: "bun" })
  })

  test.each([
    { url: "https://example.com", runtime: "bun" },
    { type: "builtin", name: "echo", runtime: "bun" },
  ])("is worth a warning where nothing is started: %j", (given) => {
    expect(parse({ mcpServers: { one: given } }).warnings).toEqual([
      "mcp_config.json: mcpServers.one.runtime is not used: nothing is started that has one",
    ])
  })
})
