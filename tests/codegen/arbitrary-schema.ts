// Schemas as they might come: every keyword of every draft, with sense and without, and texts that try to get out.
import fc from "fast-check"
import type { JsonSchema } from "../../src/catalog.ts"

type Part = fc.Arbitrary<unknown>

/** What no generated code may contain outside comments and strings. */
export const hostileMark = "pwned="

const hostileTexts = [
  `*/ ${hostileMark}1 /*`,
  `"; ${hostileMark}1; "`,
  `'; ${hostileMark}1; '`,
  "`$".concat(`{${hostileMark}1}\``),
  `\\"; ${hostileMark}1 //`,
  `\n${hostileMark}1\n`,
  `\u2028${hostileMark}1\u2029\r\n\0\u001b[31m`,
  "\u202egnp.exe",
  "@ts-nocheck\n@ts-ignore\n@deprecated",
  "//# sourceMappingURL=file:///etc/passwd",
  "</script><img src=x onerror=alert(1)> ![x](https://tracker.test/x.png)",
  "\ud800 lone \udfff",
  "../../../etc/passwd",
  "CON",
  "\\",
  "\\u002a/",
]

/** A text that a server may put anywhere. */
export const text = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("a", "The name.", "two\nlines", "") },
  { weight: 3, arbitrary: fc.constantFrom(...hostileTexts) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 20 }) },
)

const memberName = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("a", "b", "c", "kind", "a-b") },
  {
    weight: 3,
    arbitrary: fc.constantFrom("__proto__", "constructor", "toString", "type", "new", "1", "$ref", "items", ""),
  },
  { weight: 1, arbitrary: text },
)
const value = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<unknown>("a", "b", 1, -2.5, true, false, null, [], {}, 1e300, "1") },
  { weight: 1, arbitrary: text },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2, noUnicodeString: false }) },
)
const reference = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom("#/$defs/A", "#/$defs/B", "#/$defs/C", "#/$defs/a~1b%20c", "#/definitions/D", "#anchor"),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom("#", "#/properties/a", "#/properties/b/items", "#/$defs/A/properties/a", "A", "inner"),
  },
  { weight: 1, arbitrary: fc.constantFrom("#/$defs/missing", "https://x.test/a", "other.json#/b", "%", "#/%zz", "") },
  { weight: 1, arbitrary: text },
)
const type = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom("string", "number", "integer", "boolean", "null", "object", "array") },
  { weight: 1, arbitrary: fc.constantFrom<unknown>("any", "STRING", "date", "constructor", 1, null) },
)
const count = fc.integer({ min: -1, max: 4 })

/** Keywords that say something about a value, and nothing of its parts. */
const annotations = some({
  title: text,
  description: text,
  default: value,
  examples: fc.array(value, { maxLength: 3 }),
  format: text,
  pattern: text,
  minimum: fc.integer(),
  maximum: fc.double(),
  exclusiveMinimum: fc.oneof(fc.boolean(), fc.integer()),
  minLength: count,
  maxLength: count,
  multipleOf: fc.double(),
  deprecated: fc.boolean(),
  nullable: fc.boolean(),
  readOnly: fc.boolean(),
  contentEncoding: text,
  contentMediaType: text,
  $comment: text,
  $anchor: fc.constant("anchor"),
  $dynamicAnchor: fc.constant("anchor"),
  $id: fc.oneof(fc.constantFrom("inner", "https://x.test/b", "#anchor"), text),
  id: fc.constantFrom("#anchor", "https://x.test/a"),
})

const schema = fc.letrec<{ schema: unknown }>((tie) => {
  const part = tie("schema")
  return {
    schema: fc.oneof(
      { maxDepth: 4, depthSize: "xsmall", withCrossShrink: true },
      { weight: 3, arbitrary: some({ type, $ref: reference, const: value, enum: fc.array(value, { maxLength: 4 }) }) },
      { weight: 1, arbitrary: fc.oneof<Part[]>(fc.boolean(), value) },
      { weight: 4, arbitrary: both(objects(part), annotations) },
      { weight: 2, arbitrary: both(arrays(part), annotations) },
      { weight: 3, arbitrary: both(combinations(part), annotations) },
      { weight: 1, arbitrary: both(objects(part), combinations(part)) },
      { weight: 1, arbitrary: both(fc.record({ $ref: reference }), fc.oneof(objects(part), combinations(part))) },
      { weight: 1, arbitrary: both(values(part), annotations) },
      { weight: 1, arbitrary: leftovers(part) },
    ),
  }
}).schema

function values(part: Part) {
  return some({ type: fc.oneof(type, fc.array(type, { maxLength: 3 })), enum: fc.array(value), items: part })
}

function objects(part: Part) {
  const members = fc.dictionary(memberName, part, { maxKeys: 4, noNullPrototype: true })
  const names = fc.array(memberName, { maxLength: 3 })
  const more = some({
    type: fc.constantFrom<unknown>("object", ["object", "null"]),
    required: names,
    additionalProperties: fc.oneof(fc.boolean(), part),
    patternProperties: fc.dictionary(text, part, { maxKeys: 2, noNullPrototype: true }),
    propertyNames: fc.oneof(fc.record({ enum: names }), fc.record({ pattern: text }), part),
    unevaluatedProperties: fc.oneof(fc.boolean(), part),
    dependentRequired: fc.dictionary(memberName, names, { maxKeys: 2, noNullPrototype: true }),
    dependentSchemas: members,
    dependencies: members,
    minProperties: count,
  })
  return both(fc.record({ properties: members }, { noNullPrototype: true }), more)
}

function arrays(part: Part) {
  const list = fc.array(part, { maxLength: 3 })
  return some({
    type: fc.constantFrom<unknown>("array", ["array", "null"]),
    items: fc.oneof(part, list),
    prefixItems: list,
    additionalItems: part,
    unevaluatedItems: part,
    contains: part,
    minItems: count,
    maxItems: count,
    uniqueItems: fc.boolean(),
  })
}

function combinations(part: Part) {
  const list = fc.array(part, { maxLength: 4 })
  const kind = some({ type, required: fc.array(memberName, { maxLength: 2 }) })
  return fc.oneof<fc.Arbitrary<object>[]>(
    both(fc.record({ allOf: list }), kind),
    both(fc.record({ anyOf: list }), kind),
    both(fc.record({ oneOf: list, discriminator: fc.record({ propertyName: memberName }) }), kind),
    both(fc.record({ not: part }), kind),
    some(Object.fromEntries(["if", "then", "else"].map((keyword) => [keyword, part]))),
    some({ allOf: list, anyOf: list, oneOf: list, not: part }),
  )
}

/** What older drafts and other formats say, and keywords of the wrong kind. */
function leftovers(part: Part) {
  const keywords = "type properties required items enum anyOf allOf oneOf $ref additionalProperties prefixItems".split(
    " ",
  )
  return fc.oneof<fc.Arbitrary<object>[]>(
    some({ type, required: fc.boolean(), divisibleBy: fc.integer(), extends: part, disallow: type }),
    some({
      type: fc.array(fc.oneof(type, part), { maxLength: 3 }),
      exclusiveMaximum: fc.boolean(),
      maximum: fc.integer(),
    }),
    fc.dictionary(fc.constantFrom(...keywords), value, { maxKeys: 3, noNullPrototype: true }),
    some({ $dynamicRef: reference, $recursiveRef: reference, definitions: part, $defs: part }),
  )
}

/** A whole document: its definitions refer to each other, to its members, and to what is not there. */
export const schemaDocument: fc.Arbitrary<JsonSchema> = fc
  .record(
    {
      root: fc.oneof(
        fc.record({
          type: fc.constant("object"),
          properties: fc.record({ a: schema, b: schema, "c*/": schema }),
          required: fc.subarray(["a", "b"]),
        }),
        schema,
      ),
      $defs: fc.record({ A: schema, B: schema, C: schema, "a/b c": schema }),
      definitions: fc.record({ D: schema }),
    },
    { noNullPrototype: true },
  )
  .map(({ root, ...definitions }) => ({ ...(isObject(root) ? root : {}), ...definitions }))

/** A few of the keywords, or none. */
function some(model: Record<string, Part>): fc.Arbitrary<object> {
  const pairs = Object.entries(model).map(([keyword, part]) => fc.tuple(fc.constant(keyword), part))
  return fc.array(fc.oneof(...pairs), { maxLength: 3 }).map((chosen) => Object.fromEntries(chosen))
}

function both(first: fc.Arbitrary<object>, second: fc.Arbitrary<object>): fc.Arbitrary<object> {
  return fc.tuple(first, second).map(([one, other]) => ({ ...one, ...other }))
}

function isObject(given: unknown): given is object {
  return typeof given === "object" && given !== null && !Array.isArray(given)
}
