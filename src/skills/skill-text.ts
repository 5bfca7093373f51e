// The text of a skill's file, written for people: the declaration, and a body.
import type { ArgumentDeclaration, SkillDeclaration } from "../guest/skill-declaration.ts"

/** A small skill that runs as it is. */
export function newSkillText(name: string, description = "Greets somebody"): string {
  const declaration: SkillDeclaration = {
    name,
    description,
    args: { who: { kind: "string", default: "world", description: "whom to greet" } },
    examples: [`mcp-exec exec ${name} --who everybody`],
  }
  const body = [
    "// Tools are functions of ../servers/<server>/index.ts: see mcp-exec ls, and mcp-exec cat <server.tool>.",
    "// What is returned is printed: text as text, data as JSON.",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a template in the skill
    "return `Hello, ${args.who}`",
  ]
  return skillText({
    declaration,
    imports: ['import { arg, skill } from "mcp-exec"'],
    body: body.join("\n"),
    parameter: "args",
    indent: true,
  })
}

export interface SkillParts {
  declaration: SkillDeclaration
  imports: readonly string[]
  /** The statements of its function. */
  body: string
  /** What the body calls its arguments. */
  parameter: string
  /** False when line breaks of the body are part of its strings. */
  indent: boolean
}

/** The whole file. */
export function skillText({ declaration, imports, body, parameter, indent }: SkillParts): string {
  const { args = {}, ...rest } = declaration
  const fields = Object.entries(rest).map(([key, value]) => `    ${key}: ${literal(value)},`)
  const declared = Object.entries(args).map(([key, argument]) => `      ${memberName(key)}: ${argumentText(argument)},`)
  const block = declared.length === 0 ? [] : ["    args: {", ...declared, "    },"]
  // What a skill takes stands before where it is used.
  const at = fields.findIndex((field) => /^ {4}(servers|returns|examples):/.test(field))
  fields.splice(at < 0 ? fields.length : at, 0, ...block)
  return `${imports.join("\n")}

export default skill(
  {
${fields.join("\n")}
  },
  async (${body.includes(`${parameter}.`) ? parameter : ""}) => {
${indent ? body.replace(/^(?=.)/gm, "    ") : body}
  },
)
`
}

/** `arg.integer({ default: 10 })` */
function argumentText({ kind, values, ...options }: ArgumentDeclaration): string {
  const given = Object.keys(options).length === 0 ? [] : [literal(options)]
  return `arg.${kind}(${[...(kind === "enum" ? [literal(values ?? [])] : []), ...given].join(", ")})`
}

function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).map(([key, member]) => `${memberName(key)}: ${literal(member)}`)
    return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`
  }
  return JSON.stringify(value) ?? "undefined"
}

function memberName(key: string): string {
  if (key === "__proto__") return '["__proto__"]'
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key)
}
