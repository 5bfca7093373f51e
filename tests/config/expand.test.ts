// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders are what is tested
import { describe, expect, test } from "bun:test"
import { expandServer } from "../../src/config/expand.ts"
import type { HttpServerConfig, StdioServerConfig } from "../../src/config/schema.ts"
import { ConfigError } from "../../src/errors.ts"

const env = {
  NAME: "value",
  EMPTY: "",
  TRICKY: "${NAME} $& $1",
  TWO_LINES: "value/mcp\nvalue/mcp",
  "ProgramFiles(x86)": "C:\\Program Files",
}

function stdio(fields: Partial<StdioServerConfig> = {}): StdioServerConfig {
  return { type: "stdio", command: "npx", args: [], env: {}, disabled: false, ...fields }
}

function http(fields: Partial<HttpServerConfig> = {}): HttpServerConfig {
  return { type: "http", url: "https://example.com", headers: {}, disabled: false, ...fields }
}

function errorOf(server: StdioServerConfig | HttpServerConfig): ConfigError {
  try {
    expandServer("github", server, env)
  } catch (error) {
    if (error instanceof ConfigError) return error
    throw error
  }
  throw new Error("everything expanded")
}

describe("in a text", () => {
  const cases = [
    { given: "plain", want: "plain" },
    { given: "${NAME}", want: "value" },
    { given: "${env:NAME}", want: "value" },
    { given: "a ${NAME} b ${NAME}", want: "a value b value" },
    { given: "${NAME:-other}", want: "value" },
    { given: "${MISSING:-other}", want: "other" },
    { given: "${env:MISSING:-other}", want: "other" },
    { given: "${MISSING:-}", want: "" },
    { given: "${MISSING:-a:-b}", want: "a:-b" },
    { given: "${MISSING:-https://x/?a=b}", want: "https://x/?a=b" },
    { given: "${EMPTY:-other}", want: "other" },
    { given: "${EMPTY}", want: "" },
    { given: "${TRICKY}", want: "${NAME} $& $1" },
    { given: "${ProgramFiles(x86)}", want: "C:\\Program Files" },
    { given: "$NAME $ {NAME} $", want: "$NAME $ {NAME} $" },
    { given: "$${NAME}", want: "${NAME}" },
    { given: "$${NAME} ${NAME}", want: "${NAME} value" },
  ]
  for (const { given, want } of cases) {
    test(`${given} becomes ${want}`, () => {
      expect(expandServer("a", stdio({ args: [given] }), env)).toMatchObject({ args: [want] })
    })
  }
})

describe("a server", () => {
  test("of a program expands in command, args, env values and cwd", () => {
    const given = stdio({ command: "${NAME}", args: ["--x=${NAME}"], env: { "${NAME}": "${NAME}" }, cwd: "./${NAME}" })
    expect(expandServer("a", given, env)).toEqual(
      stdio({ command: "value", args: ["--x=value"], env: { "${NAME}": "value" }, cwd: "./value" }),
    )
  })

  test("with a url expands in url and header values", () => {
    const given = http({ url: "https://${NAME}.com", headers: { Authorization: "Bearer ${NAME}" } })
    expect(expandServer("a", given, env)).toEqual(
      http({ url: "https://value.com", headers: { Authorization: "Bearer value" } }),
    )
  })

  test("that is builtin expands in args and env values", () => {
    const given = {
      type: "builtin",
      name: "filesystem",
      args: ["${NAME}"],
      env: { A: "${NAME}" },
      disabled: false,
    } as const
    expect(expandServer("a", { ...given, args: [...given.args] }, env)).toMatchObject({
      args: ["value"],
      env: { A: "value" },
    })
  })

  test("is not changed itself", () => {
    const given = stdio({ command: "${NAME}", args: ["${NAME}"], env: { A: "${NAME}" }, cwd: "${NAME}" })
    const before = structuredClone(given)
    expandServer("a", given, env)
    expect(given).toEqual(before)
  })

  test("keeps its other fields as they are", () => {
    const fields = { description: "${NAME}", timeout: 5, tools: { allow: ["${NAME}"] } }
    expect(expandServer("a", stdio(fields), env)).toEqual(stdio(fields))
  })
})

describe("an unset variable", () => {
  test("is an error that names server, field and variable", () => {
    const error = errorOf(stdio({ env: { TOKEN: "${GITHUB_TOKEN}" } }))
    expect(error.code).toBe("E_CONFIG_VARIABLE")
    expect(error.message).toBe(
      'server "github" cannot be started:\n' +
        "  mcpServers.github.env.TOKEN needs the environment variable GITHUB_TOKEN, which is not set",
    )
    expect(error.hint).toBe("Export GITHUB_TOKEN, or give a default in the configuration: ${GITHUB_TOKEN:-default}.")
  })

  test("is reported together with all others", () => {
    const error = errorOf(stdio({ command: "${A}", args: ["x", "${B}${A}"], env: { T: "${C}" }, cwd: "${D}" }))
    const found = (error.details as { path: string; variable: string }[]).map((each) => `${each.path} ${each.variable}`)
    expect(found.sort()).toEqual([
      "mcpServers.github.args[1] A",
      "mcpServers.github.args[1] B",
      "mcpServers.github.command A",
      "mcpServers.github.cwd D",
      "mcpServers.github.env.T C",
    ])
    expect(error.hint).toContain("Export B, A, C, D")
  })

  test("may have the name of something every object inherits", () => {
    expect(errorOf(stdio({ args: ["${constructor}"] })).message).toContain("variable constructor, which is not set")
  })

  test("does not repeat what else stands in the field", () => {
    const { message, hint, details } = errorOf(http({ headers: { A: "hunter2 ${MISSING} ${hunter2 x}" } }))
    expect(JSON.stringify({ message, hint, details })).not.toContain("hunter2")
  })
})

describe("a form that is not known is an error, so that it never reaches a server as text", () => {
  for (const given of [
    "${input:token}",
    "${NAME",
    "${}",
    "${NAME-x}",
    "${NAME:?x}",
    "${A:-${NAME}}",
    "${a b}",
    "${1}",
  ]) {
    test(given, () => {
      const error = errorOf(stdio({ args: [given] }))
      expect(error.code).toBe("E_CONFIG_VARIABLE")
      expect(error.message).toContain("has a ${…} that is none of ${VAR}, ${VAR:-default}, ${env:VAR}")
      expect(error.hint).toBe("Write $${ for a literal ${.")
    })
  }
})

describe("what validation had to leave open is checked once it is known", () => {
  for (const [name, server, field] of [
    ["a url without a scheme", http({ url: "${NAME}/mcp" }), "url"],
    ["an empty url", http({ url: "${EMPTY}" }), "url"],
    ["an empty command", stdio({ command: "${EMPTY}" }), "command"],
    ["a header of two lines", http({ headers: { Key: "${TWO_LINES}" } }), "headers.Key"],
    ["a header with a typographic quote", http({ headers: { Key: "“${NAME}”" } }), "headers.Key"],
  ] as const) {
    test(name, () => {
      const error = errorOf(server)
      expect(error.code).toBe("E_CONFIG_INVALID")
      expect(error.message).toStartWith(`mcpServers.github.${field} is not a`)
      expect(error.message).not.toContain("value/mcp")
    })
  }
})
