// Schemas at random, valid and absurd, the same for the same seed.

type Schema = Record<string, unknown>

const memberNames = ["a", "b", "c", "a-b", "__proto__", "constructor", "type", "new", "*/", "1", "$ref", "items", ""]
const values = ["x", 1, -2.5, true, false, null, "*/", "\n", { a: 1 }, [1, "b"], [], {}, 1e300]
const references = [
  ...["#", "#/$defs/A", "#/$defs/B", "#/$defs/C", "#/properties/a", "#/properties/b/items", "#/$defs/missing"],
  ...["https://x.test/a", "#anchor", "#/$defs/A/properties/a"],
]
const types = ["string", "number", "integer", "boolean", "null", "object", "array", "any", "STRING"]

/** A document with definitions that refer to each other. */
export function randomSchema(seed: number): Schema {
  let state = seed
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
  const below = (limit: number) => Math.floor(random() * limit)
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T
  const some = <T>(limit: number, make: () => T): T[] => Array.from({ length: below(limit) }, make)
  const maybe = (share: number, make: () => Schema): Schema => (random() < share ? make() : {})

  const schema = (depth: number): unknown => {
    if (depth <= 0)
      return pick<unknown>([true, {}, { type: pick(types) }, { $ref: pick(references) }, { const: pick(values) }])
    const part = () => schema(depth - 1)
    const members = (): Schema => Object.fromEntries(some(5, () => [pick(memberNames), part()]))
    const kinds: (() => Schema)[] = [
      () => ({ type: pick(types) }),
      () => ({ type: [pick(types), pick(types)], items: part(), properties: members() }),
      () => ({ enum: some(5, () => pick(values)), ...maybe(0.3, () => ({ type: pick(types) })) }),
      () => ({ type: "array", items: part() }),
      () => ({
        prefixItems: some(4, part),
        ...maybe(0.5, () => ({ items: part() })),
        ...maybe(0.3, () => ({ minItems: below(4) })),
      }),
      object,
      object,
      () => ({ allOf: some(4, part), ...maybe(0.3, object) }),
      () => ({ anyOf: some(4, part), ...maybe(0.3, object) }),
      () => ({ oneOf: some(4, part) }),
      () => ({ $ref: pick(references), ...maybe(0.3, object) }),
      () => ({ not: pick<unknown>([{}, { type: "string" }]), type: "string" }),
    ]
    function object(): Schema {
      return {
        type: "object",
        properties: members(),
        ...maybe(0.6, () => ({ required: some(4, () => pick(memberNames)) })),
        ...maybe(0.4, () => ({ additionalProperties: pick<unknown>([true, false, part()]) })),
        ...maybe(0.2, () => ({ patternProperties: { "^x": part() } })),
        ...maybe(0.1, () => ({ propertyNames: pick<unknown>([{ enum: ["a", "b"] }, { pattern: "x" }]) })),
        ...maybe(0.2, () => ({ anyOf: [{ required: ["a"] }, { required: ["b"] }] })),
      }
    }
    return {
      ...pick(kinds)(),
      ...maybe(0.3, () => ({ description: pick(["x", "*/", "@ts-ignore\n a"]) })),
      ...maybe(0.1, () => ({ $anchor: "anchor" })),
      ...maybe(0.1, () => ({ nullable: true })),
    }
  }

  const properties = { a: schema(4), b: schema(4), c: schema(3) }
  const $defs = { A: schema(4), B: schema(4), C: schema(3) }
  const outer = schema(4)
  return random() < 0.5 ? { type: "object", properties, $defs } : { ...(outer as Schema), $defs }
}
