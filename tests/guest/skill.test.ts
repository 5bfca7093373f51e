import { describe, expect, test } from "bun:test"
import { arg, skill } from "../../src/guest/skill.ts"

// Assigning to each other would not see a difference between optional and undefined, or any.
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

describe("an argument's declaration", () => {
  test("is plain data", () => {
    expect([
      arg.string({ required: true, description: "x" }),
      arg.enum(["a", "b"], { default: "a" }),
      arg.list({ of: "integer" }),
      arg.boolean(),
    ]).toEqual([
      { kind: "string", required: true, description: "x" },
      { kind: "enum", values: ["a", "b"], default: "a" },
      { kind: "list", of: "integer" },
      { kind: "boolean" },
    ])
  })

  test("takes no option that does not exist, and no default of another type", () => {
    // @ts-expect-error misspelt
    arg.string({ required: true, descripton: "x" })
    // @ts-expect-error strings have no bounds
    arg.string({ min: 1 })
    // @ts-expect-error not a number
    arg.integer({ default: "1" })
    // @ts-expect-error not one of the values
    arg.enum(["a", "b"], { default: "c" })
  })
})

describe("a skill", () => {
  const declared = skill(
    {
      name: "all",
      description: "All kinds.",
      args: {
        text: arg.string({ required: true }),
        maybe: arg.string(),
        count: arg.integer({ default: 3, min: 1 }),
        ratio: arg.number(),
        flag: arg.boolean({ default: false }),
        choice: arg.enum(["a", "b"], { default: "a" }),
        other: arg.enum(["c"]),
        words: arg.list({ required: true }),
        numbers: arg.list({ of: "integer", default: [1, 2] }),
        data: arg.json({ required: true }),
        path: arg.file(),
      },
      servers: ["echo"],
    },
    async (args) => {
      const same: Same<
        typeof args,
        {
          text: string
          maybe?: string
          count: number
          ratio?: number
          flag: boolean
          choice: "a" | "b"
          other?: "c"
          words: string[]
          numbers: number[]
          data: unknown
          path?: string
        }
      > = true
      expect(same).toBe(true)
      return args.count * 2
    },
  )

  test("keeps its declaration and carries the mark that `exec` looks for", () => {
    expect(declared.declaration.name).toBe("all")
    expect(Symbol.for("mcp-exec.skill") in declared).toBe(true)
  })

  test("can be run from other code, with the types of its arguments and its result", async () => {
    const double = skill(
      { name: "double", description: "", args: { n: arg.number({ required: true }) } },
      ({ n }) => 2 * n,
    )
    const result = await double.run({ n: 4 })
    const isNumber: Same<typeof result, number> = true
    expect(isNumber).toBe(true)
    expect(result).toBe(8)
    // @ts-expect-error `n` is required
    await double.run({})
  })

  test("needs no arguments", async () => {
    const none = skill({ name: "none", description: "" }, (args, { workspace }) => [
      Object.keys(args).length,
      workspace,
    ])
    expect(await none.run({})).toEqual([0, process.env.MCP_EXEC_WORKSPACE ?? process.cwd()])
  })

  const wrong: { name: string; given: unknown[]; want: string }[] = [
    { name: "without anything", given: [], want: "it needs a function to run" },
    { name: "without a declaration", given: [null, run], want: "the declaration must be an object" },
    { name: "without a name", given: [{ description: "" }, run], want: "it needs a name" },
    { name: "without a description", given: [{ name: "x" }, run], want: "it needs a description" },
    {
      name: "whose args are a list",
      given: [{ name: "x", description: "", args: [] }, run],
      want: "args must be an object",
    },
    {
      name: "with an argument of no kind",
      given: withArgs({ a: { type: "string" } }),
      want: "the argument a must be declared with arg, as in arg.string()",
    },
    {
      name: "with a kind that is none",
      given: withArgs({ a: { kind: "toString" } }),
      want: "the argument a must be declared with arg, as in arg.string()",
    },
    {
      name: "with an argument called help",
      given: withArgs({ help: arg.boolean() }),
      want: "the argument help cannot be told from --help",
    },
    {
      name: "with two arguments of one name",
      given: withArgs({ maxItems: arg.string(), max_items: arg.string() }),
      want: "the argument max_items cannot be told from maxItems",
    },
    {
      name: "with an argument that no command line can name",
      given: withArgs({ _x: arg.string() }),
      want: "the argument _x cannot be written as an option",
    },
  ]
  for (const { name, given, want } of wrong) {
    test(`${name} is refused`, () => {
      const declare = skill as (...given: unknown[]) => unknown
      expect(() => declare(...given)).toThrow(new TypeError(`This skill cannot be declared: ${want}`))
    })
  }

  test("that throws at once rejects", async () => {
    const broken = skill({ name: "broken", description: "" }, () => {
      throw new Error("no")
    })
    await expect(broken.run({})).rejects.toThrow("no")
  })
})

function run(): void {}

function withArgs(args: Record<string, unknown>): unknown[] {
  return [{ name: "x", description: "", args }, run]
}
