// The value of a configuration file → what it means, or every problem there is with it.
import { describeValue, isObject, type Problem, problemsOf } from "./problems.ts"
import { validateSandbox } from "./sandbox.ts"
import { type Config, configSchema } from "./schema.ts"
import { validateServers } from "./servers.ts"

export type Sections = Pick<
  Config,
  "servers" | "workspace" | "exec" | "sandbox" | "discovery" | "serve" | "daemon" | "warm"
>

const plainSections = configSchema.pick({
  workspace: true,
  exec: true,
  discovery: true,
  serve: true,
  daemon: true,
  warm: true,
})

/** Validates a whole configuration; undefined when problems were added. `workspace` is still as written. */
export function validate(value: unknown, problems: Problem[]): Sections | undefined {
  if (!isObject(value)) {
    problems.push({ path: [], found: describeValue(value, []), allowed: 'an object, such as {"mcpServers": {}}' })
    return undefined
  }
  const servers = validateServers(value.mcpServers, problems)
  const sections = plainSections.safeParse(value)
  if (!sections.success) problems.push(...problemsOf(sections.error, value))
  for (const [index, name] of (sections.data?.warm ?? []).entries()) {
    if (isObject(value.mcpServers) && Object.hasOwn(value.mcpServers, name)) continue
    problems.push({ path: ["warm", index], found: JSON.stringify(name), allowed: "the name of a server in mcpServers" })
  }
  const sandbox = validateSandbox(value.sandbox, problems)
  if (problems.length > 0 || !sections.success || sandbox === undefined) return undefined
  return { servers, ...sections.data, sandbox }
}
