// Checks a script that a program names as it names one to run.
import type { OperationContext } from "../context.ts"
import { type CheckScriptOutput, checkScript } from "../skills/check-script.ts"
import { findScript } from "./find-script.ts"
import type { ScriptTarget } from "./run-script.ts"

export async function checkNamedScript(context: OperationContext, target: ScriptTarget): Promise<CheckScriptOutput> {
  return await checkScript(context, await findScript(context, target))
}
