// The value of a configuration file → what it means, or every problem there is with it.
import { describeValue, isObject, type Problem, problemsOf } from "./problems.ts"
import { validateSandbox } from "./sandbox.ts"
import { type Config, configSchema } from "./schema.ts"
import { validateServers } from "./servers.ts"

export type Sections = Pick<Config, "servers" | "workspace" | "exec" | "sandbox">

const plainSections = configSchema.pick({ workspace: true, exec: true })

/** Validates a whole configuration; undefined when problems were added. `workspace` is still as written. */
export function validate(value: unknown, problems: Problem[]): Sections | undefined {
  if (!isObject(value)) {
    problems.push({ path: [], found: describeValue(value, []), allowed: 'an object, such as {"mcpServers": {}}' })
    return undefined
  }
  const servers = validateServers(value.mcpServers, problems)
  const sections = plainSections.safeParse(value)
  if (!sections.success) problems.push(...problemsOf(sections.error, value))
  const sandbox = validateSandbox(value.sandbox, problems)
  if (problems.length > 0 || !sections.success || sandbox === undefined) return undefined
  return { servers, ...sections.data, sandbox }
}
