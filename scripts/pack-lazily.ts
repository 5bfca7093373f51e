// Imports of the runtime's own modules. To load one takes up to milliseconds, so each is loaded when one of its names is
// first used, which for most commands is never.
import type { AnyNode, ImportDeclaration, Program } from "acorn"
import { childrenOf, nameOf } from "./pack-syntax.ts"

export interface TextEdit {
  start: number
  end: number
  text: string
}

/** What to write in the place of imports, and of each use of their names. `exported` names are needed at once. */
export function loadLazily(program: Program, imports: readonly ImportDeclaration[], exported: Set<string>): TextEdit[] {
  const edits: TextEdit[] = []
  const declared = countDeclared(program)
  const lazy = new Map<string, string>()
  for (const [index, { start, end, source, specifiers }] of imports.entries()) {
    const load = `$load${index}()`
    const early: string[] = []
    for (const specifier of specifiers) {
      const { name } = specifier.local
      // Outside are only modules of the runtime. Their default is their namespace.
      const value = specifier.type === "ImportSpecifier" ? `${load}.${nameOf(specifier.imported)}` : load
      // A second declaration may hide the first one: then nobody can tell here which of them is meant.
      if (declared.get(name) === 1 && !exported.has(name)) lazy.set(name, value)
      else early.push(`${name} = ${value}`)
    }
    const variables = [`$module${index}`, `$load${index} = () => $module${index} ??= $use(${source.raw})`, ...early]
    edits.push({ start, end, text: specifiers.length === 0 ? `$use(${source.raw});` : `let ${variables.join(", ")};` })
  }
  if (lazy.size > 0) replaceUses(program, lazy, edits)
  return edits
}

function replaceUses(node: AnyNode, lazy: ReadonlyMap<string, string>, edits: TextEdit[], isNew = false): void {
  if (node.type === "ImportDeclaration" || node.type === "ExportNamedDeclaration") return
  if (node.type === "Identifier") {
    const value = lazy.get(node.name)
    // `new a().b` makes an `a`.
    if (value !== undefined) edits.push({ start: node.start, end: node.end, text: isNew ? `(${value})` : value })
    return
  }
  if (node.type === "Property" && node.shorthand && node.value.type === "Identifier") {
    const value = lazy.get(node.value.name)
    if (value !== undefined) edits.push({ start: node.end, end: node.end, text: `: ${value}` })
    return
  }
  for (const child of childrenOf(node)) {
    if (isOnlyAName(child, node)) continue
    const isCallee = node.type === "NewExpression" && child === node.callee
    replaceUses(child, lazy, edits, isCallee || (isNew && node.type === "MemberExpression" && child === node.object))
  }
}

/** A name that stands for itself: of a property, a label. */
function isOnlyAName(child: AnyNode, parent: AnyNode): boolean {
  switch (parent.type) {
    case "MemberExpression":
      return child === parent.property && !parent.computed
    case "Property":
    case "MethodDefinition":
    case "PropertyDefinition":
      return child === parent.key && !parent.computed
    case "LabeledStatement":
    case "BreakStatement":
    case "ContinueStatement":
      return child === parent.label
    case "MetaProperty":
      return true
    default:
      return false
  }
}

/** How often each name is declared, anywhere. */
function countDeclared(program: Program): Map<string, number> {
  const counts = new Map<string, number>()
  const add = (pattern: AnyNode) => {
    if (pattern.type === "Identifier") counts.set(pattern.name, (counts.get(pattern.name) ?? 0) + 1)
    for (const child of childrenOf(pattern)) add(child)
  }
  const visit = (node: AnyNode) => {
    if (node.type === "VariableDeclarator") add(node.id)
    if ("params" in node) for (const param of node.params) add(param)
    if (node.type === "CatchClause" && node.param) add(node.param)
    if (/^(Function|Class)/.test(node.type) && "id" in node && node.id) add(node.id as AnyNode)
    if (/^Import.*Specifier$/.test(node.type) && "local" in node) add(node.local as AnyNode)
    for (const child of childrenOf(node)) visit(child)
  }
  visit(program)
  return counts
}
