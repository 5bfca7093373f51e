// One chunk as a function that returns its exports. So that this is the same as a file, a chunk may only import
// chunks that have been evaluated before it (splitting makes no circles), and no export may change after its
// chunk has been evaluated (checked here). Modules of the runtime take milliseconds to load: they are, when they
// are first used.
import { type AnyNode, type ImportDeclaration, parse } from "acorn"
import { loadLazily } from "./pack-lazily.ts"
import { childrenOf, nameOf } from "./pack-syntax.ts"

/** The text of the key by which a chunk is found. */
export type KeyOf = (name: string) => string

interface Edit {
  start: number
  end: number
  text: (keyOf: KeyOf) => string
}

export class Part {
  shelf = Number.POSITIVE_INFINITY
  key = ""
  /** The chunks that must have been evaluated before it. */
  readonly imports: string[] = []
  readonly #name: string
  readonly #source: string
  readonly #edits: Edit[] = []
  /** By the name that others see. */
  readonly #exports = new Map<string, string>()
  #isAsync = false

  constructor(name: string, source: string) {
    this.#name = name
    this.#source = source.replace(/^#!.*/, "")
    if (/\$(use|values|part|later|(load|module)\d+)\b/.test(source)) throw new Error(`${name} has a name that is ours`)
    const program = parse(this.#source, { ecmaVersion: "latest", sourceType: "module" })
    for (const node of program.body) {
      if (node.type !== "ExportNamedDeclaration") continue
      for (const { exported, local } of node.specifiers) this.#exports.set(nameOf(exported), nameOf(local))
    }
    const outside = program.body.filter((node) => node.type === "ImportDeclaration" && !isChunk(node.source))
    const edits = loadLazily(program, outside as ImportDeclaration[], new Set(this.#exports.values()))
    for (const { text, ...place } of edits) this.#edits.push({ ...place, text: () => text })
    this.#visit(program, [])
  }

  asProperty(keyOf: KeyOf): string {
    const exports = [...this.#exports].map(([exported, local]) => `${exported}: ${local}`)
    const start = `${JSON.stringify(this.key)}: ${this.#isAsync ? "async " : ""}() => {`
    return `${start}${this.body(keyOf)}\nreturn {${exports.join(", ")}}}`
  }

  body(keyOf: KeyOf): string {
    let at = 0
    let body = ""
    for (const { start, end, text } of this.#edits.sort((a, b) => a.start - b.start)) {
      body += this.#source.slice(at, start) + text(keyOf)
      at = end
    }
    return body + this.#source.slice(at)
  }

  /** `hidden` are the names that functions around the node have for something of their own. */
  #visit(node: AnyNode, hidden: Set<string>[]): void {
    switch (node.type) {
      case "ImportDeclaration":
        return this.#declare(node)
      case "ExportNamedDeclaration":
        return this.#replace(node, () => "")
      case "ImportExpression":
        if (isChunk(node.source)) this.#replace(node, chunkCall("$later", node.source.value))
        break
      case "AwaitExpression":
        this.#isAsync ||= hidden.length === 0
        break
      case "AssignmentExpression":
        this.#checkChange(node.left, hidden)
        break
      case "UpdateExpression":
        this.#checkChange(node.argument, hidden)
        break
      case "CallExpression": {
        const [argument] = node.arguments
        // How Bun makes CommonJS modules of today's; their exports could be set from outside, and are not.
        if (node.callee.type === "Identifier" && node.callee.name === "__exportCjs") return
        if (!isRequire(node.callee) || !isChunk(argument)) break
        this.imports.push(argument.value)
        this.#replace(node, chunkCall("$part", argument.value))
      }
    }
    const inside = /Function/.test(node.type) ? [...hidden, namesIn(node)] : hidden
    for (const child of childrenOf(node)) this.#visit(child, inside)
  }

  /** In the place of an import, what the other part returns. */
  #declare(node: ImportDeclaration): void {
    const { source, specifiers } = node
    if (!isChunk(source)) return
    this.imports.push(source.value)
    const value = chunkCall("$part", source.value)
    const names = specifiers.map((each) => {
      if (each.type === "ImportSpecifier") return `${nameOf(each.imported)}: ${each.local.name}`
      throw new Error(`${this.#name} imports ${source.value} as a whole`)
    })
    this.#replace(node, (keyOf) => `${names.length === 0 ? "" : `const {${names.join(", ")}} = `}${value(keyOf)};`)
  }

  #checkChange(target: AnyNode, hidden: Set<string>[]): void {
    if (hidden.length === 0 || target.type !== "Identifier" || hidden.some((names) => names.has(target.name))) return
    if (![...this.#exports.values()].includes(target.name)) return
    throw new Error(`${this.#name} exports ${target.name} and changes it later`)
  }

  #replace({ start, end }: AnyNode, text: Edit["text"]): void {
    this.#edits.push({ start, end, text })
  }
}

function isChunk(node: AnyNode | undefined): node is AnyNode & { type: "Literal"; value: string } {
  return node?.type === "Literal" && typeof node.value === "string" && node.value.startsWith("./")
}

function chunkCall(name: "$part" | "$later", chunk: string): Edit["text"] {
  return (keyOf) => {
    const key = keyOf(chunk)
    // Most have been evaluated before. A function that is called for each of them would be compiled, in a thread.
    return name === "$part" ? `($values[${key}] ?? $part(${key}))` : `$later(${key})`
  }
}

/** `import.meta.require`, which is what Bun makes of `require`. */
function isRequire(callee: AnyNode): boolean {
  return (
    callee.type === "MemberExpression" && callee.object.type === "MetaProperty" && isNamed(callee.property, "require")
  )
}

function isNamed(node: AnyNode, name: string): boolean {
  return node.type === "Identifier" && node.name === name
}

/** All names that are declared somewhere in a function. */
function namesIn(node: AnyNode, names = new Set<string>()): Set<string> {
  if (node.type === "VariableDeclarator") addNames(node.id, names)
  if ("params" in node) for (const param of node.params) addNames(param, names)
  for (const child of childrenOf(node)) namesIn(child, names)
  return names
}

function addNames(pattern: AnyNode, names: Set<string>): void {
  if (pattern.type === "Identifier") names.add(pattern.name)
  for (const child of childrenOf(pattern)) addNames(child, names)
}
