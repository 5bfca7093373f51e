// How other programs write a variable, turned into how we do: ${NAME} and ${NAME:-default}. What a program
// does not fill in is plain text to it, and stays plain text here: `$${` is our way to write `${`.
import type { Place } from "./program.ts"

export interface VariableContext {
  place: Place
  /** The server and the field, for a name of a variable where there was none. */
  server: string
  field: string
  note(message: string): void
}

export interface Dialect {
  /** Everything that the program would replace, and no more. */
  pattern: RegExp
  /** What a match becomes; undefined when it is plain text after all. */
  replace(match: RegExpExecArray, context: VariableContext): string | undefined
}

/** A program's text in our syntax. */
export function convertVariables(text: string, dialect: Dialect, context: VariableContext): string {
  let converted = ""
  let from = 0
  let literals = 0
  const takeLiteral = (literal: string) => {
    const escaped = literal.replaceAll("${", () => "$${")
    if (escaped !== literal) literals++
    converted += escaped
  }
  for (const match of text.matchAll(dialect.pattern)) {
    const replaced = dialect.replace(match, context)
    if (replaced === undefined) continue
    takeLiteral(text.slice(from, match.index))
    if (converted.endsWith("$") && replaced.startsWith("${")) {
      context.note(
        `${context.field}: a dollar sign stands before a variable, where it now makes it plain text; check it`,
      )
    }
    converted += replaced
    from = match.index + match[0].length
  }
  takeLiteral(text.slice(from))
  if (literals > 0) context.note(`${context.field}: "\${" is not a variable there, so it is kept as plain text`)
  return converted
}

const variableName = /^[A-Za-z_][\w.()]*$/

/** Nothing is filled in. */
export const noVariables: Dialect = { pattern: /(?!)/g, replace: () => undefined }

/** `${VAR}` and `${VAR:-default}`, as ours. */
export const braceVariables: Dialect = {
  pattern: /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g,
  replace: ([, name = "", fallback], context) => withDefault(name, fallback, context),
}

/** `$VAR`, `${VAR}` and `${VAR:-default}`. */
export const shellVariables: Dialect = {
  pattern: /\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)(?::-([^}]*))?\})/g,
  replace: ([, plain, braced, fallback], context) => withDefault(plain ?? braced ?? "", fallback, context),
}

/** `${env:VAR}` alone. */
export const envVariables: Dialect = {
  pattern: /\$\{env:([^}]+)\}/g,
  replace: ([, name = ""]) => (variableName.test(name) ? reference(name) : undefined),
}

/** `${env:VAR}` and what else editors of the VS Code family fill in. */
export const editorVariables: Dialect = {
  pattern: /\$\{([^}]*)\}/g,
  replace([whole, body = ""], { place, field, note }) {
    const [, kind, name = ""] = /^(env|input):(.+)$/.exec(body) ?? []
    if (kind === "env" && variableName.test(name)) return reference(name)
    if (kind === "input") {
      const variable = variableFrom(name)
      note(`${field}: what the editor asked for as "${name}" is now the environment variable ${variable}`)
      return reference(variable)
    }
    if (body === "userHome") return reference(place.platform === "win32" ? "USERPROFILE" : "HOME")
    if (body === "workspaceFolder" || body === "cwd") return place.directory
    if (body === "workspaceFolderBasename") return place.directory.split(/[\\/]/).at(-1) ?? ""
    if (body === "pathSeparator" || body === "/") return place.platform === "win32" ? "\\" : "/"
    // Left as it is: the server then says which field needs attention, instead of starting with a wrong value.
    note(`${field}: ${whole} has no counterpart; write a value, or a variable of the environment`)
    return whole
  },
}

/** `{env:VAR}` and `{file:path}`. */
export const bracketVariables: Dialect = {
  pattern: /\{(env|file):([^}]+)\}/g,
  replace([, kind, name = ""], { server, field, note }) {
    if (kind === "env") return variableName.test(name) ? reference(name) : undefined
    const variable = variableFrom(`${server}_${field.split(".").at(-1)}`)
    note(`${field}: the content of ${name} is not copied; put it into the environment variable ${variable}`)
    return reference(variable)
  },
}

function withDefault(name: string, fallback: string | undefined, { field, note }: VariableContext): string {
  if (fallback?.includes("${")) note(`${field}: a default that is a variable itself cannot be used here; write it out`)
  return reference(name, fallback)
}

/** A value that is in our syntax already. */
export class Reference {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** A variable in our syntax. */
export function reference(name: string, fallback?: string): string {
  return fallback === undefined ? `\${${name}}` : `\${${name}:-${fallback}}`
}

/** A name that a variable of the environment can have. */
export function variableFrom(text: string): string {
  return text
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, "_")
    .replace(/^(?=\d)/, "_")
}
