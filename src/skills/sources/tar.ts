// The text files of an npm package, read from its archive in memory: nothing is unpacked, so no path or link
// in it can lead anywhere.
import { gunzipSync } from "node:zlib"
import { McpExecError } from "../../errors.ts"
import { type Fetched, largestFile, largestSource, mostFiles, sourceHint } from "./source.ts"

const block = 512

/** Regular files only, without the folder that npm puts around them. */
export function readPackage(archive: Uint8Array, name: string): Fetched {
  let bytes: Buffer
  try {
    bytes = gunzipSync(archive, { maxOutputLength: 16 * largestSource })
  } catch (cause) {
    throw new McpExecError("E_USAGE", `${name} is too large for a package of skills, or broken`, {
      hint: sourceHint,
      cause,
    })
  }
  const { files, left }: Fetched = { files: new Map(), left: [] }
  let longName: string | undefined
  for (let at = 0; at + block <= bytes.length; ) {
    const header = bytes.subarray(at, at + block)
    if (header[0] === 0) break
    const size = Number.parseInt(field(header, 124, 12).trim(), 8) || 0
    const content = bytes.subarray(at + block, at + block + size)
    const type = field(header, 156, 1)
    const prefix = field(header, 345, 155)
    const path = longName ?? (prefix === "" ? field(header, 0, 100) : `${prefix}/${field(header, 0, 100)}`)
    longName = type === "x" ? /^\d+ path=(.*)$/m.exec(content.toString("utf8"))?.[1] : undefined
    const inner = path.replace(/^[^/]*\//, "")
    const isSafe = !inner.split("/").some((part) => part === ".." || part === "") && !inner.includes("\\")
    if (isSafe && (type === "1" || type === "2")) left.push({ path: inner, why: "link" })
    if (isSafe && (type === "0" || type === "")) {
      if (size > largestFile) left.push({ path: inner, why: "too large" })
      else if (content.includes(0)) left.push({ path: inner, why: "not text" })
      else files.set(inner, content.toString("utf8"))
      if (files.size > mostFiles) throw new McpExecError("E_USAGE", `${name} has too many files`, { hint: sourceHint })
    }
    at += block + Math.ceil(size / block) * block
  }
  return { files, left }
}

function field(header: Buffer, start: number, length: number): string {
  const text = header.toString("utf8", start, start + length)
  const end = text.indexOf("\0")
  return end < 0 ? text : text.slice(0, end)
}
