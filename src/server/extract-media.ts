// Images, sounds and other binary contents in a script's output: bytes that no model can read as text are
// kept as artifacts, and the output says where.
import type { Artifact, Artifacts } from "./artifacts.ts"

/** The output with every binary content replaced by a reference to it, and what was kept. */
export function extractMedia(output: string, artifacts: Artifacts): { output: string; kept: Artifact[] } {
  const kept: Artifact[] = []
  // Most outputs hold none, and need not be parsed for it.
  if (!/"(?:data|blob)"\s*:\s*"/.test(output) || !/^\s*[[{]/.test(output)) return { output, kept }
  let value: unknown
  try {
    value = JSON.parse(output)
  } catch {
    return { output, kept } // it only begins like JSON
  }
  const replaced = replaceMedia(value, (name, mimeType, data) => {
    const artifact = artifacts.add(name, mimeType, Buffer.from(data, "base64"))
    kept.push(artifact)
    return artifact
  })
  return kept.length === 0 ? { output, kept } : { output: `${JSON.stringify(replaced)}\n`, kept }
}

type Keep = (name: string, mimeType: string, data: string) => Artifact

function replaceMedia(value: unknown, keep: Keep): unknown {
  if (Array.isArray(value)) return value.map((item) => replaceMedia(item, keep))
  if (typeof value !== "object" || value === null) return value
  const { type, data, blob, mimeType, uri, ...rest } = value as Record<string, unknown>
  const media = typeof mimeType === "string" ? mimeType : "application/octet-stream"
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

function isBase64(value: unknown): value is string {
  return typeof value === "string" && value.length >= 4 && /^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(value)
}
