// What is left of a wrapper when its types are gone: all that could ever run.
import { type Expression, type Node, parse } from "acorn"

const transpiler = new Bun.Transpiler({ loader: "ts" })

/** The one function of a wrapper and the names it calls; throws when there is anything else. */
export function callIn(source: string): { name: string; given: unknown[] } {
  const { body } = parse(transpiler.transformSync(source), { ecmaVersion: "latest", sourceType: "module" })
  const [imported, exported, ...more] = body
  if (imported?.type !== "ImportDeclaration" || imported.source.value !== "../_runtime.ts" || more.length > 0)
    throw new Error(`more than an import and a function: ${source}`)
  const made = exported?.type === "ExportNamedDeclaration" ? exported.declaration : undefined
  if (made?.type !== "FunctionDeclaration") throw new Error(`no function: ${source}`)
  const [statement, ...others] = made.body.body
  const call = statement?.type === "ReturnStatement" ? statement.argument : undefined
  if (call?.type !== "CallExpression" || others.length > 0) throw new Error(`more than a call: ${source}`)
  const [server, tool, args, options] = call.arguments
  const isPlain = nameOf(call.callee) === "callTool" && nameOf(options) === "options"
  if (!isPlain || (nameOf(args) !== "params" && !isEmpty(args))) throw new Error(`another call: ${source}`)
  return { name: made.id.name, given: [textOf(server), textOf(tool)] }
}

function nameOf(node: Node | undefined): string | undefined {
  return isExpression(node) && node.type === "Identifier" ? node.name : undefined
}

function isEmpty(node: Node | undefined): boolean {
  return isExpression(node) && node.type === "ObjectExpression" && node.properties.length === 0
}

/** Texts may come back as templates, in which nothing may be computed. */
function textOf(node: Node | undefined): unknown {
  if (!isExpression(node)) return undefined
  if (node.type === "Literal") return node.value
  return node.type === "TemplateLiteral" && node.expressions.length === 0 ? node.quasis[0]?.value.cooked : undefined
}

function isExpression(node: Node | undefined): node is Expression {
  return node !== undefined
}
