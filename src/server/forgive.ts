// The habits of models: code in a fence, a result as the last line, a `return` outside of a function. The
// code is changed as little as can be: nothing moves to another line, so that errors point where they should.
// When in doubt it is run as it is.
import { type Program, parse } from "acorn"

const name = "__mcpExecValue"
// The script prints; nothing in this folder does.
const printer = "console"

const print = `
;{ const value: unknown = await ${name}
  if (value !== undefined) {
    const plain = (_key: string, each: unknown) => each instanceof Map ? Object.fromEntries(each) : each instanceof Set ? [...each] : typeof each === "bigint" ? String(each) : each
    let text: string | undefined
    try { text = typeof value === "string" ? value : JSON.stringify(value, plain) } catch {}
    ${printer}.log(text ?? value)
  } }
`

/** The code to run, which prints its value when it has one. */
export function forgive(given: string): string {
  const code = withoutFence(given)
  const program = parseCode(code)
  if (program === undefined) return code
  const last = program.body.at(-1)
  if (hasOuterReturn(program)) return wrapReturn(code) ?? code
  if (last?.type !== "ExpressionStatement" || last.expression.type === "SequenceExpression") return code
  // What is exported as a function is the run: its value belongs to nobody.
  if (program.body.some(({ type }) => type.startsWith("ExportDefault"))) return code
  const at = findLast(code, program)
  return at === undefined ? code : `${code.slice(0, at)}const ${name} = ${code.slice(at)}${print}`
}

/** True for code that ends in a value, and not in a declaration or a loop. */
export function hasValue(code: string): boolean {
  const program = parseCode(code)
  return program !== undefined && (hasOuterReturn(program) || program.body.at(-1)?.type === "ExpressionStatement")
}

/** Code in a Markdown fence, when that is all there is. */
export function withoutFence(code: string): string {
  const match = /^\s*```[\w-]*[ \t]*\r?\n([\s\S]*?)\r?\n?[ \t]*```\s*$/.exec(code)
  return match?.[1] ?? code
}

interface Parsed extends Program {
  /** False when types were taken out first: positions then mean nothing. */
  isExact: boolean
}

function parseCode(code: string): Parsed | undefined {
  const exact = parseScript(code)
  if (exact !== undefined) return Object.assign(exact, { isExact: true })
  const plain = withoutTypes(code)
  const program = plain === undefined ? undefined : parseScript(plain)
  return program === undefined ? undefined : Object.assign(program, { isExact: false })
}

function parseScript(code: string): Program | undefined {
  try {
    return parse(code, {
      ecmaVersion: "latest",
      sourceType: "module",
      allowReturnOutsideFunction: true,
      allowAwaitOutsideFunction: true,
      allowHashBang: true,
    })
  } catch {
    return undefined // TypeScript, or wrong: its own run will say so
  }
}

function withoutTypes(code: string): string | undefined {
  if (typeof Bun === "undefined") return undefined
  try {
    return new Bun.Transpiler({ loader: "ts", deadCodeElimination: false }).transformSync(code)
  } catch {
    return undefined
  }
}

/** Where the last statement begins. With types in the way it is looked for, from the end upwards. */
function findLast(code: string, program: Parsed): number | undefined {
  if (program.isExact) return program.body.at(-1)?.start
  const starts = [...code.matchAll(/(?:^|;)[ \t]*(?=\S)/gm)].map((match) => match.index + match[0].length)
  const statements = program.body.length
  for (const at of starts.reverse().slice(0, 50)) {
    const before = statementsIn(code.slice(0, at))
    if (before !== statements - 1) continue
    // Only where it begins does an assignment in front of it leave the rest as it was.
    if (statementsIn(`${code.slice(0, at)}const ${name} = ${code.slice(at)}`) === statements) return at
  }
  return undefined
}

function statementsIn(code: string): number | undefined {
  const plain = withoutTypes(code)
  return plain === undefined ? undefined : parseScript(plain)?.body.length
}

/** The imports stay outside; everything else becomes a function that may return. */
function wrapReturn(code: string): string | undefined {
  const imports =
    /^(?:\s|\/\/.*|\/\*[\s\S]*?\*\/|import\b(?!\s*\()[^"'`]*?(["'])[^"'\n]+\1[ \t]*;?)*/.exec(code)?.[0] ?? ""
  const rest = code.slice(imports.length)
  const wrapped = `${imports};const ${name} = await (async () => {${rest}\n})()${print}`
  return statementsIn(wrapped) === undefined ? undefined : wrapped
}

/** A `return` that belongs to no function. */
function hasOuterReturn(node: unknown): boolean {
  if (typeof node !== "object" || node === null) return false
  if (Array.isArray(node)) return node.some(hasOuterReturn)
  const { type } = node as { type?: unknown }
  if (type === "ReturnStatement") return true
  if (typeof type === "string" && /Function|^(Method|Property)Definition$|^StaticBlock$/.test(type)) return false
  return Object.values(node).some(hasOuterReturn)
}
