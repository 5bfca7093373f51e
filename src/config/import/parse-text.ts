// The text of another program's file → a value. A file that does not parse is an error that says where,
// and nothing of what stands there: it may be a credential.
import { parse as parseTomlText, TomlError } from "smol-toml"
import { parseDocument as parseYamlText } from "yaml"
import { ConfigError } from "../../errors.ts"
import { parseDocument } from "../document.ts"

/** JSON, with comments and trailing commas. */
export function parseJson(text: string, file: string): unknown {
  // Several of these programs make an empty file first.
  return text.trim() === "" ? {} : parseDocument(text, file).value
}

export function parseToml(text: string, file: string): unknown {
  try {
    return parseTomlText(text.replace(/^\uFEFF/, ""))
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw cause
    const [reason = "it cannot be read"] = cause.message.replace(/^Invalid TOML document: /, "").split("\n")
    throw syntaxError(file, cause.line, cause.column, "TOML", reason)
  }
}

export function parseYaml(text: string, file: string): unknown {
  const document = parseYamlText(text, { prettyErrors: false })
  const [problem] = document.errors
  if (problem !== undefined) {
    const before = text.slice(0, problem.pos[0]).split("\n")
    throw syntaxError(file, before.length, (before.at(-1) ?? "").length + 1, "YAML", problem.code)
  }
  try {
    return document.toJS()
  } catch (cause) {
    // Aliases that multiply into more than a configuration can hold.
    throw new ConfigError("E_CONFIG_SYNTAX", `${file} cannot be read as YAML`, { cause })
  }
}

function syntaxError(file: string, line: number, column: number, format: string, reason: string): ConfigError {
  return new ConfigError("E_CONFIG_SYNTAX", `${file}:${line}:${column}: not valid ${format} (${reason})`, {
    details: { file, line, column },
  })
}
