import { arg, callTool, skill } from "mcp-exec"

interface Difference {
  path: string
  /** Absent when only the other side has it. */
  left?: unknown
  right?: unknown
}

export default skill(
  {
    name: "compare-json",
    description: "Calls two tools, or one twice, and shows what differs.",
    whenToUse: "To see what changed without reading both results.",
    args: {
      left: arg.string({ required: true, description: "server.tool" }),
      leftArgs: arg.json({ default: {}, description: "Its arguments" }),
      right: arg.string({ description: "Else as left" }),
      rightArgs: arg.json({ description: "Else as left's" }),
      ignore: arg.list({ default: [], description: "Fields to leave out" }),
      limit: arg.integer({ default: 50, min: 1, description: "Most shown" }),
    },
    returns: "{ equal, count, differences }",
    examples: [
      `mcp-exec exec compare-json --left fetch.fetch --left-args '{"url":"https://a.dev"}' --right-args '{"url":"https://b.dev"}'`,
    ],
  },
  async ({ left, leftArgs, right = left, rightArgs = leftArgs, ignore, limit }) => {
    const [a, b] = await Promise.all([call(left, leftArgs), call(right, rightArgs)])
    const differences = [...differencesOf(a, b, new Set(ignore))]
    return { equal: differences.length === 0, count: differences.length, differences: differences.slice(0, limit) }
  },
)

function call(tool: string, args: unknown): Promise<unknown> {
  if (!isRecord(args)) throw new Error(`The arguments for ${tool} must be a JSON object`)
  return callTool(tool, args)
}

function* differencesOf(left: unknown, right: unknown, ignore: Set<string>, path = "$"): Generator<Difference> {
  if (Object.is(left, right)) return
  if (Array.isArray(left) && Array.isArray(right)) {
    for (let index = 0; index < Math.max(left.length, right.length); index++) {
      yield* sidesOf(left, right, index, ignore, `${path}[${index}]`)
    }
  } else if (isRecord(left) && isRecord(right)) {
    for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
      const step = /^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`
      if (!ignore.has(key)) yield* sidesOf(left, right, key, ignore, path + step)
    }
  } else yield { path, left, right }
}

/** One place of two lists or objects, either of which may not have it. */
function* sidesOf(
  left: object,
  right: object,
  key: string | number,
  ignore: Set<string>,
  path: string,
): Generator<Difference> {
  const a: unknown = Reflect.get(left, key)
  const b: unknown = Reflect.get(right, key)
  if (!Object.hasOwn(left, key)) yield { path, right: b }
  else if (!Object.hasOwn(right, key)) yield { path, left: a }
  else yield* differencesOf(a, b, ignore, path)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
