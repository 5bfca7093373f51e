// The text of mcp_config.json: a new one, or one that is there with servers added. Text in, text out.
import { applyEdits, modify } from "jsonc-parser"
import { addMember } from "../../codegen/add-member.ts"
import { parseDocument } from "../../config/document.ts"
import { isSame } from "../../config/import/import-servers.ts"
import { member } from "../../config/import/program.ts"
import { parseConfig } from "../../config/load.ts"
import type { Fields } from "../../config/problems.ts"

/** A configuration with the servers that need nothing installed. */
export const defaultConfigText = `{
  // Servers that need nothing installed: they are part of mcp-exec. Add your own beside them, as in
  // any other MCP client: { "command": "npx", "args": ["-y", "some-server"] } or { "url": "https://…" }.
  "mcpServers": {
    "filesystem": { "type": "builtin", "name": "filesystem", "args": ["./workspace"] },
    "memory": { "type": "builtin", "name": "memory" },
    "fetch": { "type": "builtin", "name": "fetch" },
  },
}
`

export interface ConfigEdit {
  text: string
  added: string[]
  /** Names that are there with another meaning, which stay. */
  differing: string[]
}

/** A new configuration with these servers, or with our own when there are none. */
export function newConfig(servers: ReadonlyMap<string, Fields>, file: string): ConfigEdit {
  const imported = `${JSON.stringify({ mcpServers: Object.fromEntries(servers) }, null, 2)}\n`
  const text = servers.size === 0 ? defaultConfigText : imported
  return { text, added: Object.keys(parseConfig(text, { file }).servers), differing: [] }
}

/** Adds servers to a configuration that is valid. What stands there already is replaced only with `replace`. */
export function addServers(
  existing: string,
  servers: ReadonlyMap<string, Fields>,
  { file, replace }: { file: string; replace: boolean },
): ConfigEdit {
  const { value } = parseDocument(existing, file)
  const edit: ConfigEdit = { text: existing, added: [], differing: [] }
  for (const [name, entry] of servers) {
    const present = member(value, "mcpServers", name)
    if (present !== undefined && isSame(present, entry)) continue
    if (present !== undefined && !replace) {
      edit.differing.push(name)
      continue
    }
    const path = ["mcpServers", name]
    const formattingOptions = { insertSpaces: true, tabSize: 2 }
    edit.text =
      present === undefined
        ? (addMember(edit.text, path, entry) ?? edit.text)
        : applyEdits(edit.text, modify(edit.text, path, entry, { formattingOptions }))
    edit.added.push(name)
  }
  // Nothing is written that could not be read again.
  parseConfig(edit.text, { file })
  return edit
}
