// Schemas that accept what servers really send. Written by hand to the Standard Schema interface, so
// that nothing has to be compiled before the first call.
import type { StandardSchemaV1 } from "@modelcontextprotocol/client"
import type { Fields } from "./fields.ts"
import { untouchedKey } from "./loose-transport.ts"

/** Any result, taken back from where the transport hid it from the SDK. */
export const looseResult: StandardSchemaV1<unknown, Fields> = {
  "~standard": {
    version: 1,
    vendor: "mcp-exec",
    validate: (value) => ({ value: untouched(value as Fields) }),
  },
}

/** Any parameters. */
export const looseParams: StandardSchemaV1<unknown, Fields> = {
  "~standard": { version: 1, vendor: "mcp-exec", validate: (value) => ({ value: value as Fields }) },
}

/** The result as the server sent it. */
export function untouched(result: Fields): Fields {
  return (result[untouchedKey] as Fields | undefined) ?? result
}
