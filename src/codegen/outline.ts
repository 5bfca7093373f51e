// A wrapper without what every wrapper has: what is left is what a reader needs to write the call.
// Works on generated text: there, a line that begins at the margin is never a server's.

/** Of a file with several functions only one, with its types. Between its parts, and only there, is an empty line. */
export function sectionOf(source: string, exported: string): string {
  const parts = source.split("\n\n")
  const start = `export async function ${exported}(`
  const wanted = parts.find((part) => part.split("\n").some((line) => line.startsWith(start))) ?? ""
  const signature = wanted.split("\n").find((line) => line.startsWith(start)) ?? ""
  const types = parts.filter((part) => {
    const name = /^export type (\S+) =/m.exec(part)?.[1]
    return name !== undefined && signature.includes(`: ${name}`)
  })
  return [...types, wanted].map((part) => `${part.trimEnd()}\n`).join("\n")
}

/** A wrapper with the types that it imports from the text of types.discovered.ts, and those that they speak of. */
export function withDiscovered(source: string, types: string): string {
  const parts = new Map(
    types.split("\n\n").flatMap((part) => {
      const name = /^export type (\S+) =/m.exec(part)?.[1]
      return name === undefined ? [] : [[name, part.trimEnd()] as const]
    }),
  )
  return source.replace(/^export type \{ (\S+) \}\n/m, (_, result: string) => {
    const wanted = new Set([result])
    for (const name of wanted) {
      for (const [word] of (parts.get(name) ?? "").matchAll(/[\p{L}\p{N}\p{M}_$]+/gu))
        if (parts.has(word)) wanted.add(word)
    }
    return [...wanted].map((name) => `${parts.get(name) ?? ""}\n`).join("\n")
  })
}

/** The types and the signature of a wrapper's file. */
export function outlineOf(source: string): string {
  const silentResult = /^export type (\w+) = unknown\n\n/m.exec(source)
  const text = silentResult === null ? source : source.replace(silentResult[0], "")
  return text
    .replace(/^(?:\/\/|import ).*\n/gm, "")
    .replace(/^(?:export async (function .*)) \{\n(?:.*\n)*?\}$/gm, (_, signature: string) =>
      shorten(signature, silentResult?.[1]),
    )
    .replace(/^export type \{ \w+ \}\n/gm, "")
    .replace(/^export /gm, "")
    .replace(/\n\n+/g, "\n")
    .trim()
    .concat("\n")
}

/** Every function takes options, and a result that is not known needs no name. */
function shorten(signature: string, silentResult: string | undefined): string {
  const plain = signature.replace(/(?:, )?options\?: (?:Call|List)Options\)/, ")")
  return silentResult === undefined ? plain : plain.replace(`Promise<${silentResult}>`, "Promise<unknown>")
}
