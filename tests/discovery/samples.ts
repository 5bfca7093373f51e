// JSON as servers send it, and as nobody should: few keys that come again and again, beside hostile ones.
import fc from "fast-check"

const keys = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("id", "name", "items", "children", "type", "value", "created_at", "x") },
  { weight: 1, arbitrary: fc.constantFrom(...hostileKeys()) },
  { weight: 1, arbitrary: fc.string({ maxLength: 12, unit: "binary" }) },
)

/** Keys that try to break out of the file, to be inherited, or to look like nothing. */
export function hostileKeys(): string[] {
  return [
    ...["*/", "__proto__", "constructor", "toString", "hasOwnProperty", "prototype", "", " ", "a b", "0", "1e3", "-1"],
    ...[
      '"',
      "'",
      "`",
      "\\",
      "$" + "{x}",
      "a\nb",
      "a\r\nb",
      "\u2028",
      "\u2029",
      "\ud800",
      "\udfff",
      "\u202e",
      "\u0000",
      "\ufeff",
    ],
    ...["*/ export const pwned = 1 /*", '": any; export type X = any; type Y = { "', "//", "/*", "class", "default"],
    ...["2024-01-01", "a@b.example", "550e8400-e29b-41d4-a716-446655440000", "$ref", "$schema", "any", "Result"],
  ]
}

const words = fc.constantFrom("open", "closed", "merged", "draft")
const leaf = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  words,
  fc.string({ unit: "binary", maxLength: 20 }),
)

/** Any JSON value. */
export const anyJson: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, depthSize: "small" },
    leaf,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.array(fc.tuple(keys, tie("value")), { maxLength: 6 }).map(objectOf),
  ),
})).value

/** Many records of a kind, as lists have them: enough of them to see enums. */
const record = fc.record(
  {
    state: words,
    kind: fc.oneof(words, leaf),
    part: fc.record({ state: words }),
    tags: fc.array(words, { maxLength: 2 }),
  },
  { requiredKeys: ["state"] },
)
const records = fc.array(record, { minLength: 60, maxLength: 80 })

/** What one tool has answered: anything, or lists of records. */
export const anySamples: fc.Arbitrary<unknown[]> = fc.oneof(
  { weight: 9, arbitrary: fc.array(anyJson, { minLength: 1, maxLength: 6 }) },
  {
    weight: 1,
    arbitrary: fc.array(fc.oneof({ weight: 5, arbitrary: records }, anyJson), { minLength: 3, maxLength: 5 }),
  },
)

/** As JSON.parse does it: `__proto__` is a member like any other. */
function objectOf(entries: readonly (readonly [string, unknown])[]): unknown {
  return Object.fromEntries(entries)
}
