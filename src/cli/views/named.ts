// What `cat` prints: how a skill is run, how a tool is called, what a server has, or the file itself.
import type { OperationContext } from "../../operations/context.ts"
import { printable } from "../../printable.ts"
import type { Output } from "../output.ts"

/** Shows one thing by its name. */
export async function printNamed(
  context: OperationContext,
  output: Output,
  input: { target: string; source: boolean },
): Promise<void> {
  const { showNamed } = await import("../../operations/skills/show-named.ts")
  const shown = await showNamed(context, input)
  const { target, source } = input
  if (output.json) output.printJson(shown)
  else if ("skill" in shown) {
    output.print(printable(shown.text))
    if (shown.isServerToo) output.notice(`There is a server ${target}, too: mcp-exec ls ${target}\n`)
  } else if (shown.import === undefined || source) output.print(printable(shown.text))
  else output.print(printable(`${shown.import}\n${shown.text}`))
}
