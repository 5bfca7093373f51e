// What a schema means, in the terms of TypeScript: what lies between JSON Schema and source text.
// Plain data; names and texts in it are still as the server gave them, printing makes them safe.

export type Type =
  /** `why` is said when a schema exists, but could not be followed. */
  | { kind: "unknown"; why?: string; circular?: true }
  | { kind: "never" }
  | { kind: "primitive"; name: "string" | "number" | "boolean" | "null" }
  | { kind: "literal"; value: string | number | boolean }
  | { kind: "array"; items: Type }
  | { kind: "tuple"; items: Type[]; required: number; rest?: Type }
  /** `others` is the type of members that are not listed; without it there are none. `silent`: nobody spoke of any. */
  | { kind: "object"; properties: Property[]; others?: Type; silent?: true }
  | { kind: "union"; members: Type[] }
  | { kind: "intersection"; members: Type[] }
  | { kind: "reference"; name: string }

export type ObjectType = Extract<Type, { kind: "object" }>

export interface Property {
  name: string
  type: Type
  required: boolean
  docs: Docs
}

/** What TypeScript cannot say, for the comment. */
export interface Docs {
  description?: string
  /** Short phrases: "default 30", "1..100". */
  facts: string[]
  deprecated?: true
}

/** A type with a name of its own. */
export interface Definition {
  name: string
  type: Type
  docs: Docs
}

export const unknown: Type = { kind: "unknown" }
export const never: Type = { kind: "never" }
export const nothing: Type = { kind: "primitive", name: "null" }
/** An object, and nothing is said about it. One that is said to be open is another thing. */
export const anyObject: ObjectType = { kind: "object", properties: [], others: unknown, silent: true }

export function isAnyObject(type: Type): boolean {
  return type.kind === "object" && type.silent === true
}
