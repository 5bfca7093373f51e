// Runs a skill: its words become arguments, its value becomes text. Loaded only when a script's
// default export is a skill.
import { McpExecError } from "../errors.ts"
import type { Skill } from "./skill.ts"
import { readArguments, type Surroundings } from "./skill-arguments.ts"
import { helpText } from "./skill-usage.ts"

export type SkillOutcome = { text: string } | { refused: McpExecError }

/** What is to be printed, or why the skill was not run. Throws what the skill throws. */
export async function runSkill(
  skill: Skill<Record<string, unknown>, unknown>,
  words: readonly string[],
  surroundings: Surroundings,
): Promise<SkillOutcome> {
  const read = readArguments(skill.declaration, words, surroundings)
  if (read.kind === "refused") return { refused: read.error }
  return { text: read.kind === "help" ? helpText(skill.declaration) : textOf(await skill.run(read.values)) }
}

/** Text as it is, data as JSON. */
function textOf(value: unknown): string {
  if (value === undefined) return ""
  // Printing adds the last line break.
  if (typeof value === "string") return value.replace(/\n$/, "")
  let reason = `it is a ${typeof value}`
  try {
    const text = JSON.stringify(value, plain, 2)
    if (text !== undefined) return text
  } catch (error) {
    reason = error instanceof Error ? error.message : String(error)
  }
  throw new McpExecError("E_SCRIPT_FAILED", `What the skill returned cannot be printed: ${reason}`, {
    hint: "Return text, or data that JSON can hold.",
  })
}

/** JSON would print maps and sets as empty objects, and fail at large integers. */
function plain(_key: string, value: unknown): unknown {
  if (value instanceof Map) return Object.fromEntries(value)
  if (value instanceof Set) return [...value]
  return typeof value === "bigint" ? String(value) : value
}
