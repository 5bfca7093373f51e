// The values of literals, and what operators make of them.

// What stands for a value that cannot be told. Not undefined, which can be written down.
export const unknown = Symbol("unknown")

/** The value of a binary operator. */
export function combine(operator: string, left: unknown, right: unknown): unknown {
  if (typeof left === "number" && typeof right === "number") {
    if (operator === "+") return left + right
    if (operator === "-") return left - right
    return operator === "*" ? left * right : left / right
  }
  const isText = [left, right].every((part) => typeof part === "string" || typeof part === "number")
  return operator === "+" && isText ? `${left}${right}` : unknown
}

/** The value of an operator before its operand. */
export function unary(operator: string, value: unknown): unknown {
  if (operator === "!") return value === unknown ? unknown : !value
  return typeof value === "number" ? (operator === "-" ? -value : value) : unknown
}

/** `__proto__` is a member like any other. */
export function setMember(record: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== "__proto__") record[key] = value
  else Object.defineProperty(record, key, { value, enumerable: true, configurable: true, writable: true })
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
