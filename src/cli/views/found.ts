// What `search` prints: a line each, or what `cat` says of each.
import type { OperationContext } from "../../operations/context.ts"
import type { FindToolsInput, FoundTool } from "../../operations/search/find-tools.ts"
import { printable } from "../../printable.ts"
import type { Output } from "../output.ts"
import { firstLine, shortDescription } from "../text.ts"

/** Searches, and shows what was found. */
export async function printFound(context: OperationContext, output: Output, input: FindToolsInput): Promise<void> {
  const { findTools } = await import("../../operations/search/find-tools.ts")
  const result = await findTools(context, input)
  if (output.json) output.printJson(result)
  else if (result.hits.length === 0) output.notice("Nothing fits. Try other words, or mcp-exec ls.\n")
  else output.print(result.hits.map(show).join(input.detail === "full" ? "\n" : ""))
}

/** The value of --limit; undefined when it is no number of hits. */
export function parseLimit(text: string): number | undefined {
  const number = Number(text)
  return text.trim() !== "" && Number.isInteger(number) && number > 0 && number <= 100 ? number : undefined
}

function show({ kind, name, description, text }: FoundTool): string {
  if (text !== undefined) return printable(text)
  const label = kind === "skill" ? `${name} (skill)` : name
  const line = [label, shortDescription(description ?? "")].filter((part) => part !== "").join("  ")
  return `${firstLine(line)}\n`
}
