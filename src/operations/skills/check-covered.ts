// Can the hashes of a skill's files vouch for all that it loads?
import { McpExecError } from "../../errors.ts"
import { importsOutside } from "../../skills/imports-outside.ts"

/** Throws when a skill from elsewhere would load what its hashes do not cover. Paths are seen from skills/. */
export function checkCovered(name: string, unfit: readonly string[], files: ReadonlyMap<string, string>): void {
  const [path] = unfit
  if (path !== undefined) {
    throw new McpExecError("E_USAGE", `The skill ${name} cannot be vouched for: ${path} is not a regular file`, {
      hint: path.endsWith("node_modules")
        ? "Install what it needs in the project's own folder."
        : "What a link leads to can change without anybody noticing. Put a copy in its place.",
      details: { unfit },
    })
  }
  const outside = importsOutside(files)
  const [first] = outside
  if (first === undefined) return
  throw new McpExecError(
    "E_USAGE",
    `The skill ${name} cannot be vouched for: ${first.file} imports ${first.specifier}, which is not part of it`,
    {
      hint: "What is imported must be in the skill's own folder, in servers/, or a package. A folder with a SKILL.md may hold several files.",
      details: { imports: outside },
    },
  )
}
