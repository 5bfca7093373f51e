// What a JSON syntax error looks like to its reader. The line it shows may hold a credential and the
// reader may be a model, so values are masked; keys and punctuation, where the mistake is, stay.
import { type ParseError, printParseErrorCode, stripComments } from "jsonc-parser"
import { ConfigError } from "../errors.ts"

/** The error for text that does not parse, or that holds no value at all. */
export function syntaxError(text: string, file: string, errors: readonly ParseError[]): ConfigError {
  const [error] = errors
  if (error === undefined || stripComments(text).trim() === "") {
    return new ConfigError("E_CONFIG_SYNTAX", `${file} is empty; a configuration is a JSON object`, {
      hint: 'The smallest one is {"mcpServers": {}}.',
    })
  }
  // An error at the end of the file belongs to the last line that has something on it.
  const offset = Math.min(error.offset, text.trimEnd().length)
  const before = text.slice(0, offset).split("\n")
  const line = before.length
  const column = (before.at(-1) ?? "").length + 1
  const { expected, hint } = expectations[problemName(errors)] ?? { expected: "valid JSON" }
  const found = describeToken(text.slice(offset, error.offset + error.length))
  const message = `${file}:${line}:${column}: expected ${expected}, found ${found}`
  return new ConfigError("E_CONFIG_SYNTAX", `${message}\n${codeFrame(text, line, column)}`, {
    hint: hint ?? `Correct line ${line} of the file; comments and trailing commas are allowed.`,
    details: { file, line, column, expected, found },
  })
}

/** The parser calls a word without quotes an invalid symbol, and only then says what was expected in its place. */
function problemName(errors: readonly ParseError[]): string {
  const [first, second] = errors.map(({ error }) => printParseErrorCode(error))
  return (first === "InvalidSymbol" && second === "PropertyNameExpected" ? second : first) ?? ""
}

interface Expectation {
  expected: string
  hint?: string
}

const value: Expectation = {
  expected: "a value",
  hint: "A value is a string in double quotes, a number, true, false, null, an object or an array.",
}
const expectations: Record<string, Expectation> = {
  InvalidSymbol: value,
  InvalidNumberFormat: { expected: "a number" },
  PropertyNameExpected: { expected: "a key in double quotes" },
  ValueExpected: value,
  ColonExpected: { expected: '":" after the key' },
  CommaExpected: { expected: '"," between two entries' },
  CloseBraceExpected: { expected: '"}"' },
  CloseBracketExpected: { expected: '"]"' },
  EndOfFileExpected: { expected: "the end of the file" },
  UnexpectedEndOfComment: { expected: "a comment that ends with */" },
  UnexpectedEndOfString: { expected: "a string that ends with a double quote on its line" },
  UnexpectedEndOfNumber: { expected: "a complete number" },
  InvalidUnicode: { expected: "a string with four hexadecimal digits after each \\u" },
  InvalidEscapeCharacter: {
    expected: "a string with known escapes only",
    hint: "Write a backslash in a string as \\\\.",
  },
  InvalidCharacter: {
    expected: "a string without control characters",
    hint: "Write a tab in a string as \\t.",
  },
}

/** Names a token by its kind: its text may be a credential without its quotes. */
function describeToken(token: string): string {
  if (token.trim() === "") return "the end of the file"
  if (/^[{}[\]:,]/.test(token)) return `"${token[0]}"`
  if (token.startsWith('"')) return "a string"
  if (/^\/[/*]/.test(token)) return "a comment"
  if (token.startsWith("'")) return "a single quote"
  if (/^(true|false|null)$/.test(token)) return token
  return /^[-\d]/.test(token) ? "a number" : "a word without quotes"
}

/** The line and the one before it, with a mark under the column; of a very long line the part around it. */
function codeFrame(text: string, line: number, column: number): string {
  const lines = text.split("\n").slice(Math.max(0, line - 2), line)
  const from = Math.max(0, column - 80)
  const width = String(line).length
  const shown = lines.map((content, index) => {
    const number = String(line - lines.length + 1 + index).padStart(width)
    return `  ${number} | ${maskValues(content).slice(from, from + 120)}`.trimEnd()
  })
  const indent = (lines.at(-1) ?? "").slice(from, column - 1).replace(/[^\t]/g, " ")
  return [...shown, `  ${" ".repeat(width)} | ${indent}^`].join("\n")
}

// Whatever could be a key or a value: a string, closed or not, or a word without quotes.
const tokens = /"(?:\\.|[^"\\])*"?|'[^']*'?|[^\s{}[\],:"']+/g

function maskValues(line: string): string {
  return line.replace(tokens, (token, offset: number) => {
    const before = line.slice(0, offset).trimEnd().at(-1) ?? "{"
    const isKey = "{,".includes(before) && /^\s*:/.test(line.slice(offset + token.length))
    if (isKey || /^(?:true|false|null|\/[/*]|\*\/)$/.test(token)) return token
    return token.replace(/[^"']/g, "*")
  })
}
