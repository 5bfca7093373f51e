import { afterAll, describe, expect, test } from "bun:test"
import { shippedSkill } from "./shipped.ts"

const skill = shippedSkill("compare-json", { servers: { echo: { type: "builtin", name: "echo" } } })
afterAll(() => skill[Symbol.dispose]())

const compare = (left: unknown, right: unknown, ...more: string[]) =>
  skill.value("echo.echo", "--left-args", JSON.stringify(left), "--right-args", JSON.stringify(right), ...more)

describe("compare-json", () => {
  const cases = [
    { name: "equal results", left: { a: [1, { b: null }] }, right: { a: [1, { b: null }] }, want: [] },
    { name: "the order of fields", left: { a: 1, b: 2 }, right: { b: 2, a: 1 }, want: [] },
    {
      name: "a changed value",
      left: { a: { b: 1 } },
      right: { a: { b: 2 } },
      want: [{ path: "$.a.b", left: 1, right: 2 }],
    },
    { name: "a changed kind", left: { a: [] }, right: { a: {} }, want: [{ path: "$.a", left: [], right: {} }] },
    { name: "null and nothing", left: { a: null }, right: {}, want: [{ path: "$.a", left: null }] },
    { name: "an item more", left: { a: [1] }, right: { a: [1, 2] }, want: [{ path: "$.a[1]", right: 2 }] },
    { name: "odd names", left: { "a b": 1 }, right: { "a b": 2 }, want: [{ path: '$["a b"]', left: 1, right: 2 }] },
  ]
  for (const { name, left, right, want } of cases) {
    test(`tells ${name}`, async () => {
      expect(await compare(left, right)).toEqual({ equal: want.length === 0, count: want.length, differences: want })
    })
  }

  test("leaves out what does not matter, and what is more than asked for", async () => {
    const left = { at: 1, list: [{ at: 1, a: 1 }, 2, 3] }
    const right = { at: 2, list: [{ at: 2, a: 2 }, 3, 4] }
    expect(await compare(left, right, "--ignore=at", "--limit=1")).toEqual({
      equal: false,
      count: 3,
      differences: [{ path: "$.list[0].a", left: 1, right: 2 }],
    })
  })

  test("compares two tools", async () => {
    const args = ["--left=echo.add", '--left-args={"a":1,"b":2}', "--right=echo.echo", '--right-args={"sum":3}']
    expect(await skill.value(...args)).toMatchObject({ equal: true })
  })

  test("refuses arguments that are no object, and passes a tool's failure on", async () => {
    const wrong = await skill.run("echo.echo", "--left-args=[1]")
    expect(wrong.code).toBe(1)
    expect(wrong.stderr).toContain("The arguments for echo.echo must be a JSON object")
    expect((await skill.run("echo.nothing")).stderr).toContain("E_TOOL_UNKNOWN")
  })
})
