import { tmpdir } from "node:os"
import { join } from "node:path"

/** What all test files of the sandbox share, because it takes long to make. */
export function sharedFolder(): string {
  return join(tmpdir(), `mcp-exec-sandbox-tests-${process.getuid?.() ?? 0}`)
}
