import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { type ReadDeclaration, readDeclaration } from "../../src/skills/read-declaration.ts"

const head = 'import { skill, arg } from "mcp-exec"\n'
const body = ", async (args: { n: number }) => args)\n"
const read = (text: string) => readDeclaration(text, "demo")

describe("a declaration in code", () => {
  test("is read with all that it can say", () => {
    const text = `${head}export default skill({
  name: "demo",
  description: "Does " + 'a thing' + \`.\`,
  whenToUse: \`When \\n needed\`,
  args: {
    url: arg.string({ required: true, description: "the page" }),
    limit: arg.integer({ default: 4 + 3 * 2, min: -1, max: 1e3 }),
    kind: arg.enum(["a", "b"], { default: "a" }),
    tags: arg.list({ of: "integer", default: [1, 2] }),
    deep: arg.boolean(),
    data: arg.json({ default: { a: [null, true] } }),
  },
  servers: ["fetch"],
  returns: "a text",
  examples: ["mcp-exec exec demo --url https://x"],
}${body}`
    expect(read(text)).toEqual({
      form: "declared",
      problems: [],
      declaration: {
        name: "demo",
        description: "Does a thing.",
        whenToUse: "When \n needed",
        args: {
          url: { kind: "string", required: true, description: "the page" },
          limit: { kind: "integer", default: 10, min: -1, max: 1000 },
          kind: { kind: "enum", values: ["a", "b"], default: "a" },
          tags: { kind: "list", of: "integer", default: [1, 2] },
          deep: { kind: "boolean" },
          data: { kind: "json", default: { a: [null, true] } },
        },
        servers: ["fetch"],
        returns: "a text",
        examples: ["mcp-exec exec demo --url https://x"],
      },
    })
  })

  const plain = '{ name: "demo", description: "d" }'
  const found: Record<string, string> = {
    "after type parameters": `export default skill<{ a: () => void }, Map<string, number>>(${plain}${body}`,
    "after a comment that names another": `// export default skill({ name: "no" })\nexport default skill(${plain}${body}`,
    "after a string that names another": `const a = 'export default skill({ name: "no" })'\nexport default skill(${plain}${body}`,
    "after a template that names another": `const a = \`\${"\`"} export default skill({})\`\nexport default skill(${plain}${body}`,
    "after an expression with a quote": `const a = /["'\`]/.test("x")\nexport default skill(${plain}${body}`,
    "with comments inside": `export default /* here */ skill(/* a ) */ { name: "demo", // }\n description: "d" }${body}`,
    "in a constant": `const it = ${plain} as const\nexport default skill(it${body}`,
    "in a constant with a type": `const it: SkillDeclaration = ${plain};\nexport default skill(it${body}`,
    "exported by its name": `const it = skill(${plain}${body}export default it\n`,
    "with satisfies": `export default skill(${plain} satisfies SkillDeclaration<string>${body}`,
    "on one line": `${head.trim()}; export default skill(${plain}${body}`,
    "with Windows line ends": `export default skill({\r\n name: "demo",\r\n description: "d"\r\n}${body}`,
    "with names from constants": `const text = "d"\nconst o = { name: "demo" }\nexport default skill({ ...o, description: text }${body}`,
    "with a member of a constant": `const o = { a: "d" }\nexport default skill({ name: "demo", description: o.a }${body}`,
  }
  for (const [where, text] of Object.entries(found)) {
    test(`is found ${where}`, () => {
      expect(read(text)).toEqual({ form: "declared", problems: [], declaration: { name: "demo", description: "d" } })
    })
  }

  const withArgs = (args: string) => `export default skill({ name: "demo", description: "d", args: { ${args} } }${body}`
  const problems: [string, string[]][] = [
    [withArgs("limit: arg.integer({ default: compute() })"), ["cannot be read without running: args.limit.default"]],
    [withArgs("limit: arg.integer({ default: Date.now() })"), ["cannot be read without running: args.limit.default"]],
    [withArgs("limit: makeArgument()"), ["cannot be read without running: args.limit"]],
    [withArgs("...more"), ["cannot be read without running: args"]],
    [withArgs('kind: arg.enum([other, "b"])'), ["cannot be read without running: args.kind.values[0]"]],
    [withArgs("help: arg.string()"), ["the argument help cannot be told from --help"]],
    [withArgs("x: arg.strnig()"), [expect.stringContaining("args.x must be made with arg.string")]],
    [withArgs('x: arg.string({ descripton: "a" })'), ["args.x.descripton is not known"]],
    [withArgs('x: arg.string({ required: "yes" })'), ["args.x.required has the wrong type"]],
    [
      `export default skill({ name: "demo", description: text() }${body}`,
      ["cannot be read without running: description"],
    ],
    [`export default skill(make()${body}`, ["cannot be read without running: the declaration"]],
    [`export default skill({ name: "other", description: "d" }${body}`, ["name is 'other', but the file's is 'demo'"]],
    [`export default skill({ description: "d" }${body}`, ["name is missing"]],
    [`export default skill({ name: "demo" }${body}`, ["description is missing"]],
    [
      `export default skill({ name: "demo", description: 5 }${body}`,
      ["description must be a text", "description is missing"],
    ],
    [
      `const a = b\nconst b = a\nexport default skill({ name: a, description: "d" }${body}`,
      ["cannot be read without running: name"],
    ],
    [`export default skill({ name: "demo",, }${body}`, ["cannot be read without running: the declaration"]],
    ["export default skill(", ["cannot be read without running: the declaration"]],
  ]
  for (const [text, want] of problems) {
    test(`says what is wrong: ${text.slice(15, 90)}`, () => {
      expect(read(text)).toMatchObject({ form: "declared", problems: want, declaration: { name: "demo" } })
    })
  }

  test("shows the rest when a part is dynamic", () => {
    const text = withArgs('a: arg.integer({ default: now(), description: "A" }), b: arg.string()')
    expect(read(text).declaration.args).toEqual({ a: { kind: "integer", description: "A" }, b: { kind: "string" } })
  })

  const spellings = [
    'a: arg.integer({ default: 3, description: "})," }), b: arg.string({})',
    "a: arg.integer({ default: 3, description: '}),' }), b: arg.string({}),",
    'a: arg.integer({\n  default: 3, // three\n  description: "}),",\n}),\n\n  b: arg.string(),',
    'a: arg.integer({ default: 1 + 2, "description": "})," }) , b : arg .string ( )',
    'a: arg.integer({ default: 3, ...{ description: "})," } }) as const, b: arg.string()',
    '"a": arg.integer({ description: "\\u007d),", default: 3 }), /* b */ b: arg.string({ })',
  ]
  for (const args of spellings) {
    test(`reads the same in every spelling: ${args}`, () => {
      const { declaration, problems } = read(withArgs(args))
      expect(problems).toEqual([])
      expect(declaration.args).toEqual({
        a: { kind: "integer", default: 3, description: "})," },
        b: { kind: "string" },
      })
    })
  }

  test("takes __proto__ and the like for names", () => {
    const { declaration, problems } = read(
      withArgs("__proto__: arg.string(), constructor: arg.string(), hasOwnProperty: arg.string()"),
    )
    expect(problems).toEqual(["the argument __proto__ cannot be written as an option"])
    expect(Object.keys(declaration.args ?? {})).toEqual(["__proto__", "constructor", "hasOwnProperty"])
    expect(({} as Record<string, unknown>).kind).toBeUndefined()
  })

  test("runs nothing", () => {
    const text = withArgs("a: arg.string({ default: (globalThis.wasRun = true), toString() { throw 1 } })")
    read(text)
    expect("wasRun" in globalThis).toBe(false)
  })
})

describe("a text that means harm", () => {
  const start = 'export default skill({ name: "demo", description: "d", args: '
  const pieces = [
    "[",
    "{a:",
    "(",
    "-",
    "`${",
    "arg.a(",
    "1+",
    "a.",
    "...",
    "export default a;\n",
    "/*",
    "'",
    '"',
    "// SKILL: x\n",
  ]
  for (const piece of pieces) {
    test(`is read in no time: ${piece.trim()} again and again`, () => {
      const started = performance.now()
      for (const before of [start, "skill", ""])
        expect(read(before + piece.repeat(20_000)).declaration.name).toBe("demo")
      expect(performance.now() - started).toBeLessThan(5000)
    })
  }

  test("is never an exception", () => {
    const tokens = [
      ...pieces,
      start,
      "}",
      ")",
      "]",
      ",",
      ":",
      "skill(",
      "args",
      "\n",
      "\\",
      "`",
      "as const",
      "const a = ",
    ]
    const text = fc.array(fc.constantFrom(...tokens), { maxLength: 60 }).map((parts) => parts.join(""))
    fc.assert(
      fc.property(text, (code) => {
        expect(read(code).declaration.name).toBe("demo")
      }),
      { numRuns: 3000 },
    )
  })
})

describe("a header comment", () => {
  const want = {
    form: "header",
    problems: [],
    declaration: {
      name: "demo",
      description: "Fetches a page and sums it up.",
      whenToUse: "one page; no login",
      args: {
        url: { kind: "string", description: "the address (absolute)", required: true },
        "max-commits": { kind: "string", description: "how many", default: "10" },
        quiet: { kind: "string", description: "say less" },
      },
      examples: ["mcp-exec exec demo --url https://example.com"],
    },
  } satisfies ReadDeclaration
  const sections = [
    "SKILL: Simple Fetch",
    "",
    "DESCRIPTION:",
    "  Fetches a page",
    "  and sums it up.",
    "WHEN TO USE:",
    "  - one page",
    "  - no login",
    "CLI ARGUMENTS:",
    "  --url           the address (absolute) (required)",
    "  --max-commits N  how many (default: 10)",
    "  --quiet   say less (optional)",
    "USAGE:",
    "  mcp-exec exec demo --url https://example.com",
    "REQUIREMENTS:",
    "  - fetch",
  ]
  test("is read from a block", () => {
    expect(read(`/**\n${sections.map((line) => ` * ${line}`).join("\n")}\n */\nconsole.log(1)\n`)).toEqual(want)
    expect(read(`#!/usr/bin/env bun\n/*\n${sections.join("\n")}\n*/\nconsole.log(1)\n`)).toEqual(want)
  })

  test("is read from lines", () => {
    expect(read(`${sections.map((line) => `// ${line}`).join("\n")}\nconsole.log(1)\n`)).toEqual(want)
    expect(read(`${sections.map((line) => `// ${line}`).join("\r\n")}\r\nconsole.log(1)\n`)).toEqual(want)
  })

  test("without sections is a description, and none is nothing", () => {
    const described = { form: "none", problems: [], declaration: { name: "demo", description: "Counts things." } }
    expect(read("// Counts things.\n// Slowly.\nconsole.log(1)")).toEqual(described as never)
    expect(read("console.log(1)").declaration.description).toBe("")
    expect(read("").form).toBe("none")
  })

  test("does not win over code", () => {
    const text = `// SKILL: Other\nexport default skill({ name: "demo", description: "d" }${body}`
    expect(read(text).declaration.description).toBe("d")
  })
})
