// What servers write and what they mean: each rule turns one quirk into plain JSON Schema 2020-12.
// Rules look at one schema, not into its parts, and never change what they are given.

export type Schema = Record<string, unknown>

interface Rule {
  name: string
  applies(schema: Schema): boolean
  rewrite(schema: Schema): Schema
}

/** A schema as the standard would have it. */
export function normalizeSchema(given: Schema): Schema {
  let schema = given
  for (const rule of rules) if (rule.applies(schema)) schema = rule.rewrite(schema)
  return schema
}

// Types as other languages and other formats call them.
const typeNames = new Map<string, string>([
  ...fill(
    "string",
    "string str text char date datetime date-time time uuid uri url email file binary bytes bytestring",
  ),
  ...fill("number", "number float double decimal long short numeric bigint"),
  ...fill("integer", "integer int int32 int64 uint uint32 uint64"),
  ...fill("boolean", "boolean bool"),
  ...fill("array", "array list"),
  ...fill("object", "object dict map record struct json"),
  ...fill("null", "null none nil void undefined"),
])

const impliedTypes: [type: string, keywords: string[]][] = [
  ["object", ["properties", "required", "additionalProperties", "patternProperties", "propertyNames"]],
  ["array", ["items", "prefixItems"]],
]

const rules: Rule[] = [
  {
    name: "a type has many names",
    applies: ({ type }) => type !== undefined && !isTypeName(type),
    rewrite(schema) {
      const known = listOf(schema.type).map((name) => typeNamed(name))
      // One that nobody knows may be anything, so that the list says nothing.
      const saysNothing = known.length === 0 || known.includes(undefined)
      return { ...schema, type: saysNothing ? undefined : [...new Set(known)] }
    },
  },
  {
    name: "an enum without values says nothing",
    applies: (schema) => schema.enum !== undefined && !(Array.isArray(schema.enum) && schema.enum.length > 0),
    rewrite: ({ enum: _, ...rest }) => rest,
  },
  {
    name: "a constant is an enum of one value",
    applies: (schema) => Object.hasOwn(schema, "const") && schema.const !== undefined,
    rewrite: ({ const: value, ...rest }) => ({ ...rest, enum: [value] }),
  },
  {
    name: "up to draft-07 a tuple was a list of items",
    applies: ({ items, prefixItems }) => Array.isArray(items) && prefixItems === undefined,
    rewrite: ({ items, additionalItems, ...rest }) => ({
      ...rest,
      prefixItems: items,
      ...(additionalItems !== undefined && { items: additionalItems }),
    }),
  },
  {
    name: "an empty tuple is a plain array",
    applies: ({ prefixItems }) => prefixItems !== undefined && !(Array.isArray(prefixItems) && prefixItems.length > 0),
    rewrite: ({ prefixItems: _, ...rest }) => rest,
  },
  {
    name: "up to draft-04 a bound was made exclusive by a flag",
    applies: ({ exclusiveMinimum, exclusiveMaximum }) =>
      typeof exclusiveMinimum === "boolean" || typeof exclusiveMaximum === "boolean",
    rewrite({ exclusiveMinimum, exclusiveMaximum, minimum, maximum, ...rest }) {
      return {
        ...rest,
        ...(exclusiveMinimum === true ? { exclusiveMinimum: minimum } : { minimum }),
        ...(exclusiveMaximum === true ? { exclusiveMaximum: maximum } : { maximum }),
      }
    },
  },
  {
    name: "in draft-03 a property said itself that it is required",
    applies: ({ properties, required }) =>
      isRecord(properties) &&
      !Array.isArray(required) &&
      Object.values(properties).some((property) => isRecord(property) && property.required === true),
    rewrite(schema) {
      const properties = Object.entries(schema.properties as Schema)
      const required = properties.filter(([, property]) => isRecord(property) && property.required === true)
      return { ...schema, required: required.map(([name]) => name) }
    },
  },
  {
    name: "required is a list",
    applies: ({ required }) => required !== undefined && !Array.isArray(required),
    rewrite: ({ required: _, ...rest }) => rest,
  },
  {
    name: "what is left unevaluated is additional",
    applies: (schema) => schema.unevaluatedProperties !== undefined && schema.additionalProperties === undefined,
    rewrite: ({ unevaluatedProperties, ...rest }) => ({ ...rest, additionalProperties: unevaluatedProperties }),
  },
  {
    name: "keywords imply their type",
    applies: (schema) => schema.type === undefined && schema.enum === undefined,
    rewrite(schema) {
      const implied = impliedTypes.filter(([, keywords]) => keywords.some((keyword) => schema[keyword] !== undefined))
      return implied.length === 0 ? schema : { ...schema, type: implied.map(([type]) => type) }
    },
  },
]

export function isRecord(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** The types that a normalized schema allows; undefined when it does not say. */
export function typesOf({ type }: Schema): unknown[] | undefined {
  return type === undefined ? undefined : listOf(type)
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value]
}

/** True for a name that is the standard's own. */
function isTypeName(value: unknown): boolean {
  return typeof value === "string" && typeNames.get(value) === value
}

function typeNamed(name: unknown): string | undefined {
  return typeof name === "string" ? typeNames.get(name.toLowerCase()) : undefined
}

/** The schema that a bare type name stands for, in place of a schema. */
export function shorthand(value: unknown): Schema | undefined {
  return typeNamed(value) === undefined ? undefined : { type: value }
}

function fill(type: string, names: string): [string, string][] {
  return names.split(" ").map((name) => [name, type])
}
