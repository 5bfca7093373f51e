// All programs whose servers can be imported, in the order in which they are asked.
import { McpExecError } from "../../errors.ts"
import { suggest } from "../../suggest.ts"
import { claude } from "./claude.ts"
import { claudeDesktop } from "./claude-desktop.ts"
import { cline } from "./cline.ts"
import { codex } from "./codex.ts"
import { copilot } from "./copilot.ts"
import { cursor } from "./cursor.ts"
import { gemini } from "./gemini.ts"
import { goose } from "./goose.ts"
import { opencode } from "./opencode.ts"
import type { Program } from "./program.ts"
import { vscode } from "./vscode.ts"
import { windsurf } from "./windsurf.ts"
import { zed } from "./zed.ts"

export const programs: readonly Program[] = [
  claude,
  claudeDesktop,
  cursor,
  vscode,
  codex,
  windsurf,
  gemini,
  opencode,
  zed,
  cline,
  goose,
  copilot,
]

/** The programs of these names. Throws when one is not known. */
export function programsNamed(names: readonly string[]): readonly Program[] {
  const known = [...programs.map(({ name }) => name), "all"]
  for (const name of names) {
    if (known.includes(name)) continue
    const intended = suggest(name, known)
    throw new McpExecError("E_USAGE", `mcp-exec does not know a program '${name}' to import from`, {
      hint: `${intended === undefined ? "" : `Did you mean ${intended}? `}There are ${known.join(", ")}.`,
    })
  }
  return names.includes("all") ? programs : programs.filter(({ name }) => names.includes(name))
}
