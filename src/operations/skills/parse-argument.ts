// `--arg name:kind[=default]` → a declared argument.
import { McpExecError } from "../../errors.ts"
import type { NamedArgument } from "../../skills/script-arguments.ts"

const kinds = ["string", "number", "integer", "boolean", "list", "json", "file"] as const

/** Reads one argument; the kind may be left out, and an argument without default is required. */
export function parseArgument(text: string): NamedArgument {
  const [, name = "", kind = "string", value] = /^([^:=]*)(?::([^=]*))?(?:=([\s\S]*))?$/.exec(text) ?? []
  if (!/^[A-Za-z_][\w]*(-[\w]+)*$/.test(name)) {
    throw wrong(text, `'${name}' is not a name for an argument`)
  }
  const known = kinds.find((each) => each === kind)
  if (known === undefined) throw wrong(text, `there is no kind '${kind}'; there are ${kinds.join(", ")}`)
  const argument = { name: camelCase(name), kind: known }
  if (value === undefined) return known === "boolean" ? argument : { ...argument, required: true }
  return { ...argument, default: parseDefault(text, known, value) }
}

function parseDefault(text: string, kind: (typeof kinds)[number], value: string): unknown {
  switch (kind) {
    case "number":
    case "integer": {
      const number = Number(value)
      const fits = value.trim() !== "" && (kind === "integer" ? Number.isInteger(number) : Number.isFinite(number))
      if (!fits) throw wrong(text, `'${value}' is not ${kind === "integer" ? "a whole number" : "a number"}`)
      return number
    }
    case "boolean":
      if (value !== "true" && value !== "false") throw wrong(text, `'${value}' is not true or false`)
      return value === "true"
    case "list":
      return value === "" ? [] : value.split(",")
    case "json":
      try {
        return JSON.parse(value)
      } catch {
        throw wrong(text, `'${value}' is not JSON`)
      }
    default:
      return value
  }
}

/** A skill's function uses it as `args.name`. */
function camelCase(name: string): string {
  return name.replace(/-+(\w)/g, (_, letter: string) => letter.toUpperCase())
}

function wrong(text: string, problem: string): McpExecError {
  return new McpExecError("E_USAGE", `--arg ${text}: ${problem}`, {
    hint: "Write name:kind or name:kind=default, for example: --arg url:string --arg limit:integer=10",
  })
}
