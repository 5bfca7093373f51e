// What an agent must know to use this program, for the file in which its program looks for it: find, read,
// run. Every task pays for each of these words, so there are few of them. Text in, text out.
import { McpExecError } from "../../errors.ts"
import { suggest } from "../../suggest.ts"

export interface AgentFile {
  path: string
  /** What a file of our own begins with. Absent where the file is shared, and only a section is ours. */
  frontMatter?: string
}

const begin = "<!-- mcp-exec:begin -->"
const end = "<!-- mcp-exec:end -->"

// Scripts print; nothing in this folder does.
const printer = "console"

const body = `## MCP tools through mcp-exec

The tools of all MCP servers are functions. Find, read, run; only what is printed costs tokens.

1. Find: \`mcp-exec ls\` (skills, servers), \`mcp-exec ls <server>\` (tools), \`mcp-exec search "<words>"\`.
2. Read before the first use: \`mcp-exec cat <skill | server.tool>\` gives the exact arguments and types.
3. Run:
   - one call: \`mcp-exec call server.tool key=value\`
   - a known workflow: its skill, \`mcp-exec exec <skill> --argument value\`
   - anything new: write a script, \`mcp-exec exec script.ts\`; when it works, \`mcp-exec skills save <name>\`

\`\`\`ts
import { readTextFile } from "#servers/filesystem" // names as \`cat\` shows them
const { content } = await readTextFile({ path: "notes.txt" })
${printer}.log(content.length) // filter and count here, print little
\`\`\`

Scripts may loop and combine servers; large results go to files in workspace/. Never edit servers/. A failure prints a \`hint:\`: follow it.
`

const description =
  "Calls the tools of MCP servers from the command line and runs saved workflows. Use it for any task that needs an MCP tool or an external service."

const shared: AgentFile = { path: "AGENTS.md" }
const copilotFile: AgentFile = { path: ".github/copilot-instructions.md" }

/** Where each program looks for instructions. Those that read AGENTS.md share it. */
const agentFiles: Record<string, AgentFile> = {
  agents: shared,
  claude: {
    path: ".claude/skills/mcp-exec/SKILL.md",
    frontMatter: `---\nname: mcp-exec\ndescription: "${description}"\n---\n\n`,
  },
  cline: shared,
  codex: shared,
  copilot: copilotFile,
  cursor: {
    path: ".cursor/rules/mcp-exec.mdc",
    frontMatter: "---\ndescription: MCP tools through mcp-exec\nalwaysApply: true\n---\n\n",
  },
  gemini: { path: "GEMINI.md" },
  goose: { path: ".goosehints" },
  opencode: shared,
  vscode: copilotFile,
  windsurf: { path: ".windsurf/rules/mcp-exec.md", frontMatter: "---\ntrigger: always_on\n---\n\n" },
  zed: shared,
}

export const agentNames: readonly string[] = Object.keys(agentFiles)

/** The files for these agents, each once. */
export function filesFor(agents: readonly string[]): AgentFile[] {
  return [...new Set(agents.map(fileFor))]
}

function fileFor(agent: string): AgentFile {
  const file = Object.hasOwn(agentFiles, agent) ? agentFiles[agent] : undefined
  if (file !== undefined) return file
  const intended = suggest(agent, agentNames)
  throw new McpExecError("E_USAGE", `mcp-exec does not know where an agent '${agent}' reads its instructions`, {
    hint: `${intended === undefined ? "" : `Did you mean ${intended}? `}There are ${agentNames.join(", ")}; agents writes AGENTS.md, which most read.`,
  })
}

/** The file with our section in it, everything else as it was; undefined when it is somebody else's altogether. */
export function withInstructions({ frontMatter }: AgentFile, existing: string | undefined): string | undefined {
  const lines = `${begin}\n${body}${end}\n`
  const eol = existing?.includes("\r\n") ? "\r\n" : "\n"
  const section = lines.replaceAll("\n", eol)
  if (existing === undefined || existing.trim() === "") return `${frontMatter ?? ""}${lines}`
  // From the last beginning before an end: whoever has lost an end may have written below it.
  const to = existing.indexOf(end, existing.indexOf(begin))
  const from = to < 0 ? -1 : existing.lastIndexOf(begin, to)
  if (from >= 0) {
    const after = existing.slice(to + end.length).replace(/^\r?\n/, "")
    return existing.slice(0, from) + section + after
  }
  if (frontMatter !== undefined) return undefined
  return `${existing.trimEnd()}${eol}${eol}${section}`
}

/** A file of our own as it is when it is new. */
export function freshInstructions(file: AgentFile): string {
  return withInstructions(file, undefined) ?? ""
}
