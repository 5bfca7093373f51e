// Types → TypeScript. Whatever a server has said goes through escape.ts.
import { indexSignature } from "./combine.ts"
import { commentLines, commentText, memberName, quote } from "./escape.ts"
import type { Definition, Docs, ObjectType, Property, Type } from "./ir.ts"

const maxWidth = 110
const step = "  "
const inheritedNames = new Set(Object.getOwnPropertyNames(Object.prototype).filter((name) => !name.startsWith("__")))

/** `export type Name = …` with its comment. */
export function printDefinition({ name, type, docs }: Definition): string {
  return `${printDocs(docs, "")}export type ${name} =${spaced(printType(type))}\n`
}

/** A comment above what is documented, ending in a new line; nothing when there is nothing to say. */
export function printDocs(docs: Docs, indent: string, tags: readonly string[] = []): string {
  const lines = commentLines(docs.description ?? "")
  const facts = docs.facts.length === 0 ? "" : commentText(docs.facts.join(", "))
  if (facts !== "") {
    const last = lines.pop()
    lines.push(last === undefined ? facts : `${last.replace(/\.$/, "")} (${facts})`)
  }
  if (docs.deprecated) lines.push("@deprecated")
  lines.push(...tags)
  if (lines.length === 0) return ""
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`
  return `${indent}/**\n${lines.map((line) => `${indent} *${line === "" ? "" : ` ${line}`}\n`).join("")}${indent} */\n`
}

/** The text of a type. `indent` is that of the line it stands on. */
export function printType(type: Type, indent = ""): string {
  switch (type.kind) {
    case "unknown":
      return type.why === undefined ? "unknown" : `unknown /* ${commentText(type.why)} */`
    case "never":
      return "never"
    case "primitive":
      return type.name
    case "literal":
      return typeof type.value === "string" ? quote(type.value) : String(type.value)
    case "reference":
      return type.name
    case "array":
      return printArray(type.items, indent)
    case "tuple":
      return printTuple(type, indent)
    case "object":
      return printObject(type, indent)
    case "union":
      return printMembers(type.members, "|", indent)
    case "intersection":
      return printMembers(type.members, "&", indent)
  }
}

function printArray(items: Type, indent: string): string {
  const text = printType(items, indent)
  return isAtom(items) ? `${text}[]` : `Array<${text}${text.startsWith("\n") ? `\n${indent}` : ""}>`
}

function isAtom(type: Type): boolean {
  if (type.kind === "unknown") return type.why === undefined
  return ["primitive", "reference", "never", "literal", "array"].includes(type.kind)
}

function printTuple({ items, required, rest }: Extract<Type, { kind: "tuple" }>, indent: string): string {
  const parts = items.map((item, at) => {
    const text = printType(item, indent)
    if (at < required) return text
    return isAtom(item) ? `${text}?` : `(${text})?`
  })
  if (rest !== undefined) {
    // Not `...Array<T>`: that one TypeScript follows at once, and a type could then not speak of itself.
    const text = printType(rest, indent)
    parts.push(isAtom(rest) ? `...${text}[]` : `...(${text})[]`)
  }
  return `[${parts.join(", ")}]`
}

function printObject(type: ObjectType, indent: string): string {
  const inner = indent + step
  const others = indexSignature(type)
  const members = type.properties.map((property) => {
    const name = `${memberName(property.name)}${property.required ? "" : "?"}`
    const text = spaced(printType(property.type, inner))
    return `${printDocs(property.docs, inner)}${inner}${name}:${text}${inheritedType(property)}\n`
  })
  if (members.length === 0) return `{ [key: string]: ${printType(others ?? { kind: "never" }, indent)} }`
  if (others !== undefined) {
    // Without exactOptionalPropertyTypes a member that may be left out may also be undefined.
    const optional = others.kind !== "unknown" && type.properties.some((property) => !property.required)
    const more =
      others.kind === "unknown" ? "" : `${type.properties.map(inheritedType).join("")}${optional ? " | undefined" : ""}`
    members.push(`${inner}[key: string]:${spaced(printType(others, inner))}${more}\n`)
  }
  const [only = ""] = members
  if (members.length === 1 && only.indexOf("\n") === only.length - 1 && only.length < 60) return `{ ${only.trim()} }`
  return `{\n${members.join("")}${indent}}`
}

/** Where a member like `constructor` is left out, TypeScript finds the one that every object has. */
function inheritedType({ name, required, type }: Property): string {
  return !required && type.kind !== "unknown" && inheritedNames.has(name) ? ` | Object[${quote(name)}]` : ""
}

function printMembers(members: Type[], operator: "|" | "&", indent: string): string {
  const texts = members.map((member) => printMember(member, operator, indent))
  const line = texts.join(` ${operator} `)
  const multiline = line.includes("\n")
  if (operator === "&" || (!multiline && indent.length + line.length <= maxWidth)) return line
  const inner = indent + step
  if (multiline) {
    return members.map((member) => `\n${inner}| ${printMember(member, operator, inner + step)}`).join("")
  }
  return fillLines(texts, inner)
}

function printMember(member: Type, operator: "|" | "&", indent: string): string {
  const text = printType(member, indent)
  const mixed = member.kind === "union" || (member.kind === "intersection" && operator === "|")
  return mixed ? `(${text}${text.includes("\n") ? `\n${indent}` : ""})` : text
}

/** A long list of values, as many on a line as there is room for. */
function fillLines(texts: string[], indent: string): string {
  let result = ""
  let column = Number.POSITIVE_INFINITY
  for (const text of texts) {
    const starts = column + text.length + 3 > maxWidth
    result += starts ? `\n${indent}| ${text}` : ` | ${text}`
    column = starts ? indent.length + 2 + text.length : column + text.length + 3
  }
  return result
}

/** A type that begins on a new line needs no space before it. */
function spaced(text: string): string {
  return text.startsWith("\n") ? text : ` ${text}`
}
