// One server of a configuration that has passed validation, without what validates, which takes longer to load than
// a server to be started. Only where that makes no difference: an ordinary process in a file of ordinary JSON.
import { has, isObject } from "./problems.ts"
import { isStrings } from "./receipt.ts"
import type { StdioServerConfig } from "./schema.ts"

/** The server of this name; undefined when the file must be read in full to know it. */
export function plainServer(text: string, name: string): StdioServerConfig | undefined {
  const entry = member(member(parse(text), "mcpServers"), name)
  const [command, args = [], env = {}, cwd] = ["command", "args", "env", "cwd"].map((field) => member(entry, field))
  const isOther = ["url", "runtime"].some((field) => member(entry, field) !== undefined)
  if (isOther || ![undefined, "stdio"].includes(member(entry, "type") as string) || member(entry, "disabled")) {
    return undefined
  }
  if (typeof command !== "string" || !isStrings(args) || !isStringMap(env)) return undefined
  if (cwd !== undefined && typeof cwd !== "string") return undefined
  return { type: "stdio", command, args, env, disabled: false, ...(cwd !== undefined && { cwd }) }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // it has comments, perhaps
  }
}

function member(value: unknown, name: string): unknown {
  return isObject(value) && has(value, name) ? value[name] : undefined
}

function isStringMap(value: unknown): value is Record<string, string> {
  return isObject(value) && isStrings(Object.values(value))
}
