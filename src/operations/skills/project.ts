// Where a project's skills are: beside its configuration, or in the working directory without one.
import type { ExecSettings } from "../../config/receipt.ts"
import type { OperationContext } from "../context.ts"

/** The folder of the project, and what its configuration says. */
export async function readProject(context: OperationContext): Promise<ExecSettings> {
  const settings = await context.settings()
  context.warn(settings.warnings)
  return settings
}
