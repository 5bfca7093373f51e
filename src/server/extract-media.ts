// Images, sounds and other binary contents in a script's output: bytes that no model can read as text are
// kept as artifacts, and the output says where. Scripts print them as JSON, or as a console shows an object.
import type { Artifact, Artifacts } from "./artifacts.ts"

export interface Extracted {
  output: string
  kept: Artifact[]
}

/** The output with every binary content replaced by a reference to it, and what was kept. */
export function extractMedia(output: string, artifacts: Artifacts): Extracted {
  // Most outputs hold none, and need not be looked at closely.
  if (!/(?:data|blob)["']?\s*:/.test(output)) return { output, kept: [] }
  const kept: Artifact[] = []
  const keep: Keep = (name, mimeType, data) => {
    const artifact = artifacts.add(name.slice(0, maxNameLength), mimeType, Buffer.from(data, "base64"))
    kept.push(artifact)
    return artifact
  }
  const value = parse(output)
  if (value === undefined) return { output: replaceInText(output, keep), kept }
  const replaced = replaceMedia(value, keep)
  return kept.length === 0 ? { output, kept } : { output: `${JSON.stringify(replaced)}\n`, kept }
}

type Keep = (name: string, mimeType: string, data: string) => Artifact

const maxNameLength = 100
const unknownType = "application/octet-stream"

function parse(output: string): object | undefined {
  if (!/^\s*[[{]/.test(output)) return undefined
  try {
    return JSON.parse(output)
  } catch {
    return undefined // it only begins like JSON
  }
}

function replaceMedia(value: unknown, keep: Keep): unknown {
  if (Array.isArray(value)) return value.map((item) => replaceMedia(item, keep))
  if (typeof value !== "object" || value === null) return value
  const { type, data, blob, mimeType, uri, ...rest } = value as Record<string, unknown>
  const media = typeOf(mimeType)
  if ((type === "image" || type === "audio") && isBase64(data)) {
    const { uri: kept, bytes } = keep(type, media, data)
    return { type, ...rest, mimeType: media, uri: kept, bytes }
  }
  if (typeof uri === "string" && isBase64(blob)) {
    const { uri: kept, bytes } = keep(uri, media, blob)
    return { ...rest, mimeType: media, uri: kept, bytes }
  }
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, replaceMedia(each, keep)]))
}

// Long enough to be no word of a text.
const printed = /((?:data|blob)["']?\s*:\s*["'])([A-Za-z0-9+/]{100,}={0,2})(?=["'])/g
const dataUrl = /data:([\w.+-]+\/[\w.+-]+);base64,([A-Za-z0-9+/]{100,}={0,2})/g

function replaceInText(output: string, keep: Keep): string {
  return output
    .replace(dataUrl, (_, mimeType: string, data: string) => keep("data", typeOf(mimeType), data).uri)
    .replace(printed, (_, before: string, data: string) => before + keep("data", sniff(data), data).uri)
}

// What contents of these types begin with, in base64.
const beginnings: Record<string, string> = {
  iVBORw0KGgo: "image/png",
  "/9j/": "image/jpeg",
  R0lGOD: "image/gif",
  UklGR: "image/webp",
  JVBERi: "application/pdf",
}

function sniff(data: string): string {
  return Object.entries(beginnings).find(([beginning]) => data.startsWith(beginning))?.[1] ?? unknownType
}

function typeOf(mimeType: unknown): string {
  return typeof mimeType === "string" && /^[\w.+-]{1,50}\/[\w.+-]{1,100}$/.test(mimeType) ? mimeType : unknownType
}

function isBase64(value: unknown): value is string {
  return typeof value === "string" && value.length >= 4 && /^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(value)
}
