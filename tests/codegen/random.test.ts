import { expect, test } from "bun:test"
import { generateFiles } from "../../src/codegen/generate.ts"
import { randomSchema } from "./random-schema.ts"
import { runtime, typeCheck } from "./typescript.ts"

test("whatever a schema says, the types of it are accepted", async () => {
  // Another seed looks elsewhere: MCP_EXEC_TEST_SEED=7 bun test tests/codegen/random.test.ts
  const first = Number(process.env.MCP_EXEC_TEST_SEED ?? 1) * 10_000
  const tools = Array.from({ length: 300 }, (_, at) => ({
    name: `tool-${first + at}`,
    description: "",
    inputSchema: randomSchema(first + 2 * at),
    outputSchema: randomSchema(first + 2 * at + 1),
  }))
  expect(await typeCheck(generateFiles({ servers: [{ name: "random", tools }] }, { runtime }))).toBe("")
}, 60_000)
