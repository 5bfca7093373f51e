// What can be known to be wrong with scripts before they run: their types against servers/, and tools that
// they name and nobody has.
import { readFileSync } from "node:fs"
import { join, relative, sep } from "node:path"
import { guestSource } from "../../guest/plain-file.ts"
import type { Script } from "../../harness/harness.ts"
import { checkTypes } from "../../skills/types/check-types.ts"
import type { Diagnostic } from "../../skills/types/diagnostics.ts"
import { explainDiagnostic, type TypeProblem } from "../../skills/types/explain.ts"
import { type KnownServers, usedTools } from "../../skills/used-tools.ts"
import { suggest } from "../../suggest.ts"
import type { OperationContext } from "../context.ts"
import { readServers } from "./known-servers.ts"
import { readProject } from "./project.ts"

export type ScriptProblem = Partial<TypeProblem> & { message: string }

export interface CheckScriptOutput {
  problems: ScriptProblem[]
  /** False when there is no TypeScript to do it with. */
  typesChecked: boolean
  notes: string[]
}

export const noCompiler =
  "Types were not checked: there is no tsc in node_modules/.bin or PATH (npm install -D typescript)."

/** Checks one script. */
export async function checkScript(context: OperationContext, script: Script): Promise<CheckScriptOutput> {
  const { directory } = await readProject(context)
  const servers = readServers(directory)
  const [path, code] =
    script.kind === "file" ? [script.path, readFileSync(script.path, "utf8")] : [script.name, script.code]
  const unknown = unknownTools(code, servers)
  const diagnostics = await checkTypes({
    project: directory,
    env: context.env,
    runtime: await guestSource(),
    files: script.kind === "file" ? [path] : [],
    ...(script.kind === "code" && { code: { text: code, name: path } }),
  })
  return {
    problems: [...unknown, ...explainAll(diagnostics ?? [], directory, servers, new Map([[path, code]]))],
    typesChecked: diagnostics !== undefined,
    notes: diagnostics === undefined ? [noCompiler] : [],
  }
}

/** The problems of the files that the user wrote: what is generated is not theirs to mend. */
export function explainAll(
  diagnostics: readonly Diagnostic[],
  project: string,
  servers: KnownServers,
  codes: ReadonlyMap<string, string>,
): (TypeProblem & { file: string })[] {
  const generated = join(project, "servers")
  const wrapper = (file: string) => textOf(join(generated, file))
  return diagnostics
    .filter(({ file }) => !file.startsWith(generated + sep))
    .map((diagnostic) => {
      const code = codes.get(diagnostic.file) ?? textOf(diagnostic.file)
      const file = relative(project, diagnostic.file).replaceAll(sep, "/")
      return { ...explainDiagnostic(diagnostic, { code, servers, wrapper }), file }
    })
}

/** Tools that are called by name and are not among the generated ones, whose servers are. */
export function unknownTools(code: string, servers: KnownServers): ScriptProblem[] {
  return usedTools(code, servers).flatMap(({ server, tool, at }) => {
    const known = servers.get(server)
    if (known === undefined || Object.hasOwn(known.tools, tool)) return []
    const names = Object.keys(known.tools)
    const nearest = suggest(tool, names)
    const before = code.slice(0, at).split("\n")
    const hint = nearest === undefined ? `See mcp-exec ls ${server}` : `Did you mean '${nearest}'?`
    return [
      {
        message: `server '${server}' has no tool '${tool}'. ${hint}`,
        line: before.length,
        column: (before.at(-1)?.length ?? 0) + 1,
        tool: `${server}.${tool}`,
        ...(nearest !== undefined && { nearest }),
      },
    ]
  })
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8")
  } catch {
    return "" // gone in the meantime
  }
}
