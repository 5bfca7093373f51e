// Reads a response's body: decompressed, within a limit that counts decompressed bytes, as text.
import type { IncomingMessage } from "node:http"
import type { Transform } from "node:stream"
import { causeOf, FetchFailure } from "./failure.ts"

/** The whole body, decompressed. Fails as soon as it proves larger than `maxBytes`. */
export async function readBody(response: IncomingMessage, maxBytes: number, signal: AbortSignal): Promise<Uint8Array> {
  const stages = [response, ...(await decodersFor(response))]
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    // Not stream.pipeline: a consumer that gives up inside it is never heard of again.
    const chunks: Uint8Array[] = []
    let size = 0
    const stop = (reason: unknown) => {
      signal.removeEventListener("abort", onAbort)
      for (const stage of stages) stage.destroy()
      reject(reason)
    }
    const onAbort = () => stop(signal.reason)
    const onError = (error: Error) => stop(signal.aborted ? signal.reason : brokenOff(error))
    signal.addEventListener("abort", onAbort, { once: true })
    for (const stage of stages) stage.on("error", onError)
    response.on("close", () => {
      if (!response.complete) onError(new Error("the connection was closed"))
    })
    const last = stages.reduce((from, to) => from.pipe(to as Transform))
    last.on("data", (chunk: Uint8Array) => {
      size += chunk.length
      if (size > maxBytes) stop(tooLarge(maxBytes))
      else chunks.push(chunk)
    })
    last.on("end", () => {
      signal.removeEventListener("abort", onAbort)
      resolve(Buffer.concat(chunks))
    })
  })
}

function brokenOff(error: Error): FetchFailure {
  return new FetchFailure(`The page broke off while it was read: ${causeOf(error)}`, { cause: error })
}

/** A body as text: by its byte order mark, the charset of the header or of the page, else UTF-8. */
export function decodeText(body: Uint8Array, contentType: string): string {
  const label = markedCharset(body) ?? headerCharset(contentType) ?? pageCharset(body) ?? "utf-8"
  return decoderFor(label).decode(body)
}

/** True when bytes without a usable type are no text: they hold a NUL or are not UTF-8. */
export function looksBinary(body: Uint8Array): boolean {
  if (markedCharset(body) !== undefined) return false
  if (body.includes(0)) return true
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(body)
    return false
  } catch {
    return true // "fatal" reports malformed text by throwing
  }
}

async function decodersFor(response: IncomingMessage): Promise<Transform[]> {
  const encodings = (response.headers["content-encoding"] ?? "")
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
  const named = encodings.filter((name) => name !== "" && name !== "identity").reverse()
  if (named.length === 0) return []
  if (named.length > 2) throw new FetchFailure(`The page is compressed ${named.length} times over`)
  const zlib = await import("node:zlib")
  return named.map((name) => {
    switch (name) {
      case "gzip":
      case "x-gzip":
        return zlib.createGunzip()
      case "deflate":
        return zlib.createInflate()
      case "br":
        return zlib.createBrotliDecompress()
      case "zstd":
        return zlib.createZstdDecompress()
      default:
        throw new FetchFailure(`The page is encoded as ${name}, which is not supported`)
    }
  })
}

function tooLarge(maxBytes: number): FetchFailure {
  return new FetchFailure(
    `The page is larger than ${maxBytes} bytes. To allow more, give the fetch server "args": ["--max-bytes=N"].`,
  )
}

function markedCharset(body: Uint8Array): string | undefined {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return "utf-8"
  if (body[0] === 0xff && body[1] === 0xfe) return "utf-16le"
  return body[0] === 0xfe && body[1] === 0xff ? "utf-16be" : undefined
}

function headerCharset(contentType: string): string | undefined {
  return /;\s*charset\s*=\s*["']?([^\s"';]+)/i.exec(contentType)?.[1]
}

function pageCharset(body: Uint8Array): string | undefined {
  const start = new TextDecoder("latin1").decode(body.subarray(0, 1024))
  return /<meta\s[^>]*charset\s*=\s*["']?\s*([^\s"'/>;]+)/i.exec(start)?.[1]
}

function decoderFor(label: string): TextDecoder {
  try {
    return new TextDecoder(label as "utf-8")
  } catch {
    return new TextDecoder() // a charset nobody knows: most of such pages are UTF-8
  }
}
