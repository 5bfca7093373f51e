// Renames the keys of a tool's result as the server's `normalize` says, and of its declared type alike.
// Values are never touched, objects are copied, and two keys that would become one both stay.
import type { JsonSchema, Tool } from "../catalog.ts"
import type { Normalize } from "../config/schema.ts"
import { type Fields, isFields } from "./fields.ts"

export interface FieldNames {
  /** Renames keys through objects and arrays. Without anything to rename, the same value. */
  value(value: unknown): unknown
  /** The tool as its results arrive. */
  tool(tool: Tool): Tool
}

type Rename = (key: string) => string

/** `onClash` hears of a key that kept its name because another has the new one already. */
export function createFieldNames(
  normalize: Normalize | undefined,
  onClash: (key: string, renamed: string) => void,
): FieldNames {
  const rename = renamerFor(normalize)
  if (rename === undefined) return { value: (value) => value, tool: (tool) => tool }
  return {
    value: (value) => renameKeys(value, rename, onClash),
    tool: (tool) =>
      tool.outputSchema === undefined ? tool : { ...tool, outputSchema: renameInSchema(tool.outputSchema, rename) },
  }
}

function renamerFor(normalize: Normalize | undefined): Rename | undefined {
  switch (normalize) {
    case undefined:
    case "none":
      return undefined
    case "ado-pascal-case":
      return adoPascalCase
    case "camelCase":
      return camelCase
    case "snake_case":
      return snakeCase
    default: {
      const names = new Map(Object.entries(normalize))
      return (key) => names.get(key) ?? key
    }
  }
}

function renameKeys(value: unknown, rename: Rename, onClash: (key: string, renamed: string) => void): unknown {
  if (Array.isArray(value)) return value.map((item) => renameKeys(item, rename, onClash))
  if (!isFields(value)) return value
  const names = newNames(value, rename)
  const entries = Object.entries(value).map(([key, member]) => {
    const name = names.get(key) ?? key
    if (name === key && rename(key) !== key) onClash(key, rename(key))
    return [name, renameKeys(member, rename, onClash)]
  })
  // Object.fromEntries makes `__proto__` a member like any other.
  return Object.fromEntries(entries)
}

/** Where a schema names properties, not where it describes them. */
function renameInSchema(schema: JsonSchema, rename: Rename): JsonSchema {
  const names = isFields(schema.properties) ? newNames(schema.properties, rename) : new Map<string, string>()
  const entries = Object.entries(schema).map(([keyword, value]): [string, unknown] => {
    switch (keyword) {
      case "properties":
      case "dependentSchemas":
        return [keyword, isFields(value) ? renameMembers(value, newNames(value, rename), rename) : value]
      case "$defs":
      case "definitions":
      case "patternProperties":
        return [keyword, isFields(value) ? mapMembers(value, (member) => renameBelow(member, rename)) : value]
      case "$ref":
        return [keyword, typeof value === "string" ? renamePointer(value, rename) : value]
      case "required":
        return [
          keyword,
          Array.isArray(value)
            ? value.map((key) => names.get(key) ?? (typeof key === "string" ? rename(key) : key))
            : value,
        ]
      case "const":
      case "enum":
      case "default":
      case "examples":
        return [keyword, renameKeys(value, rename, () => {})]
      default:
        return [keyword, renameBelow(value, rename)]
    }
  })
  return Object.fromEntries(entries)
}

function renameBelow(value: unknown, rename: Rename): unknown {
  if (Array.isArray(value)) return value.map((item) => renameBelow(item, rename))
  return isFields(value) ? renameInSchema(value, rename) : value
}

/** `#/properties/old` */
function renamePointer(pointer: string, rename: Rename): string {
  return pointer.replace(/(?<=\/properties\/)[^/]+/g, rename)
}

function mapMembers(fields: Fields, change: (member: unknown) => unknown): Fields {
  return Object.fromEntries(Object.entries(fields).map(([key, member]) => [key, change(member)]))
}

function renameMembers(properties: Fields, names: ReadonlyMap<string, string>, rename: Rename): Fields {
  const entries = Object.entries(properties).map(([key, schema]) => [
    names.get(key) ?? key,
    renameBelow(schema, rename),
  ])
  return Object.fromEntries(entries)
}

/** By key, its new name: the old one where another has the new one already. */
function newNames(fields: Fields, rename: Rename): Map<string, string> {
  const taken = new Set(Object.keys(fields).filter((key) => rename(key) === key))
  const names = Object.keys(fields).map((key): [string, string] => {
    const renamed = rename(key)
    const name = renamed !== key && taken.has(renamed) ? key : renamed
    taken.add(name)
    return [key, name]
  })
  return new Map(names)
}

/** `system.title` → `System.Title`: the field names of Azure DevOps. */
function adoPascalCase(key: string): string {
  const [, prefix = "", rest] = /^(system|microsoft|custom)\.(.*)$/s.exec(key) ?? []
  if (rest !== undefined) return `${upperFirst(prefix)}.${upperFirst(rest)}`
  return /^wef_/i.test(key) ? `WEF_${key.slice(4)}` : key
}

function camelCase(key: string): string {
  const [first, ...rest] = wordsOf(key)
  return first === undefined
    ? key
    : [first.toLowerCase(), ...rest.map((word) => upperFirst(word.toLowerCase()))].join("")
}

function snakeCase(key: string): string {
  const words = wordsOf(key)
  return words.length === 0 ? key : words.map((word) => word.toLowerCase()).join("_")
}

function wordsOf(key: string): string[] {
  // What is not a name in one of the usual spellings, such as a URL or an e-mail address, is data.
  if (!/^[\p{L}][\p{L}\p{N}]*(?:[_\- ]+[\p{L}\p{N}]+)*$/u.test(key)) return []
  return key
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, "$1 $2")
    .split(/[_\- ]+/)
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
