// URI templates (RFC 6570), as far as their variables are texts: what is left open, and how it is filled in.

export interface UriExpression {
  operator: "" | "+" | "#" | "." | "/" | ";" | "?" | "&"
  variables: string[]
}

/** Texts that stand for themselves, and expressions. */
export type UriTemplate = (string | UriExpression)[]

const expression = /^([+#./;?&]?)(\w+(?:\.\w+)*\*?(?:,\w+(?:\.\w+)*\*?)*)$/

/** Undefined for what is no template, or one that wants more than texts: prefixes of values. */
export function parseUriTemplate(text: string): UriTemplate | undefined {
  const parts = text.split(/\{([^{}]*)\}/)
  const template: UriTemplate = []
  for (const [at, part] of parts.entries()) {
    if (at % 2 === 0) {
      if (/[{}]/.test(part)) return undefined
      if (part !== "") template.push(part)
      continue
    }
    const [, operator, names] = expression.exec(part) ?? []
    if (operator === undefined || names === undefined) return undefined
    // An asterisk is about lists: it makes no difference to a text.
    const variables = names.split(",").map((name) => name.replace("*", ""))
    template.push({ operator: operator as UriExpression["operator"], variables })
  }
  return template
}

/** Operators whose values go by name: one that is not given is left out. */
export function isNamed({ operator }: UriExpression): boolean {
  return operator === ";" || operator === "?" || operator === "&"
}

/** Every variable once, and whether it must be given. */
export function variablesOf(template: UriTemplate): Map<string, { required: boolean }> {
  const found = new Map<string, { required: boolean }>()
  for (const part of template) {
    if (typeof part === "string") continue
    for (const name of part.variables) {
      found.set(name, { required: !isNamed(part) || found.get(name)?.required === true })
    }
  }
  return found
}
