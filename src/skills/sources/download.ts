// One file over HTTPS.
import { McpExecError } from "../../errors.ts"
import { asText, failure, largestFile, sourceHint, tooLarge } from "./source.ts"

/** The text at an address. */
export async function download(url: string): Promise<string> {
  let response: Response
  try {
    response = await fetch(url, { signal: AbortSignal.timeout(30_000), headers: { accept: "text/plain, */*" } })
  } catch (cause) {
    throw failure(`${url} cannot be fetched: ${(cause as Error).message}`, cause)
  }
  if (!response.ok) {
    throw failure(`${url} cannot be fetched: HTTP ${response.status}`)
  }
  if (url.startsWith("https:") && !response.url.startsWith("https:")) {
    throw new McpExecError("E_USAGE", `${url} leads to an address that is not encrypted: ${response.url}`, {
      hint: sourceHint,
    })
  }
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > largestFile) throw tooLarge(url)
    chunks.push(chunk)
  }
  if (/^\s*text\/html\b/i.test(response.headers.get("content-type") ?? "")) {
    throw new McpExecError("E_USAGE", `${url} is a web page, not a skill`, {
      hint: "Give the address of the file itself.",
    })
  }
  return asText(Buffer.concat(chunks), url)
}
