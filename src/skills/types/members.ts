// The members of a type that a wrapper declares.

export interface Member {
  name: string
  required: boolean
}

/** What stands in the type whose name fits the pattern `type`, at its first level. */
export function readMembers(wrapper: string, type: string): Member[] {
  const declaration = new RegExp(
    `^export (?:type|interface) ${type}\\b[^{\\n]*\\{(?:\\n([\\s\\S]*?)^\\}|([^\\n]*)\\})`,
    "m",
  )
  const [, lines, oneLine] = declaration.exec(wrapper) ?? []
  const member =
    lines === undefined
      ? /(?:^|;)\s*(?:"((?:[^"\\]|\\.)*)"|([\w$]+))(\?)?:/g
      : /^ {2}(?:"((?:[^"\\]|\\.)*)"|([\w$]+))(\?)?:/gm
  return [...(lines ?? oneLine ?? "").matchAll(member)].map(([, quoted, plain, optional]) => ({
    name: quoted ?? plain ?? "",
    required: optional === undefined,
  }))
}
