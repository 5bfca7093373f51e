// What operations say to a person at a terminal, said to a model that has tools instead: hints name the tool
// and not the command, and a skill is shown as it is called here, with the schema of its arguments.
import type { OperationContext } from "../operations/context.ts"
import type { RunResult } from "../operations/exec.ts"

const commands: [RegExp, string][] = [
  [/`?mcp-exec generate\b`?/g, "generate_wrappers"],
  [/`?mcp-exec (?:ls|search|cat)\b`?/g, "search_tools"],
  [/`?mcp-exec discover\b(?! (?:init|status))`?/g, "discover_schemas"],
  [/Give it longer with --timeout SECONDS, .*/g, "Give it longer with timeout (seconds), or do less at once."],
]

/** A hint with our tools in it. Commands that no tool stands for are left to whoever has a terminal. */
export function inOwnTerms(hint: string): string {
  return commands.reduce((text, [command, tool]) => text.replace(command, tool), hint)
}

/** How a skill is called; undefined for one that does not declare its arguments, or is gone. */
export async function describeSkillCall(context: OperationContext, name: string): Promise<string | undefined> {
  const { showSkill } = await import("../operations/skills/show-skill.ts")
  const shown = await showSkill(context, { name, source: false }).catch(() => undefined)
  if (shown?.inputSchema === undefined) return undefined
  const { description } = shown.declaration
  return `${name}: ${description}\nexecute_script ${JSON.stringify({ skill: name, args: {} })}, where args fits ${JSON.stringify(shown.inputSchema)}\n`
}

/** The failure of a skill whose arguments did not fit, with what would instead of a command line. */
export async function withSkillSchema(
  context: OperationContext,
  skill: string | undefined,
  result: RunResult,
): Promise<RunResult> {
  const isRefused = !result.ok && result.error.code === "E_USAGE" && result.stdout === ""
  const hint = skill !== undefined && isRefused ? await describeSkillCall(context, skill) : undefined
  if (result.ok || hint === undefined) return result
  // All that it has printed is the same error, for a terminal.
  return { ...result, stderr: "", error: { ...result.error, hint: hint.trimEnd() } }
}
