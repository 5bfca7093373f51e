// Whether servers/ is still what it would be if it were generated now, as far as that can be told
// without asking any server: by what is configured, and by what was noted when servers were used.
import type { ManifestServer } from "../codegen/print-server.ts"
import type { Mark } from "./changed-servers.ts"
import type { OperationContext } from "./context.ts"
import type { Generated } from "./generated.ts"

const mostShown = 10

/** All that can be wrong with servers, in the order in which it is told. */
const problems = {
  missing: (names: string) => `it lacks ${names}`,
  gone: (names: string, are: string) => `${names} ${are} no longer configured`,
  disabled: (names: string, are: string) => `${names} ${are} disabled`,
  reconfigured: (names: string) => `the configuration of ${names} has changed`,
  changed: (names: string) => `the tools of ${names} have changed`,
  doubtfulTools: (names: string) => `the tools of ${names} may have changed`,
  doubtfulOthers: (names: string) => `the prompts or resources of ${names} may have changed`,
}

export type Problem = keyof typeof problems

/** Warns when servers/ is not what it should be, in one line. */
export async function warnIfStale(context: OperationContext, generated: Generated): Promise<void> {
  const stale = await findStale(context, generated)
  const told = (Object.keys(problems) as Problem[]).flatMap((problem) => {
    const names = [...stale].flatMap(([name, found]) => (found === problem ? name : []))
    return names.length === 0 ? [] : problems[problem](listOf(names), names.length === 1 ? "is" : "are")
  })
  if (told.length > 0) context.log("warning", `servers/ is stale: ${told.join("; ")}. Run mcp-exec generate.`)
}

/** The servers whose files are not what they should be, by name. */
export async function findStale(
  { cacheDirectory }: Pick<OperationContext, "cacheDirectory">,
  { directory, servers, settings }: Generated,
): Promise<Map<string, Problem>> {
  const stale = new Map<string, Problem>()
  if (settings.file === undefined && settings.serverNames.length === 0) return stale
  const enabled = new Map(Object.entries(settings.fingerprints))
  for (const name of enabled.keys()) if (!servers.has(name)) stale.set(name, "missing")
  const { readMarks } = await import("./changed-servers.ts")
  const marks = new Map((await readMarks({ cacheDirectory, directory })).map((mark) => [mark.server, mark]))
  for (const [name, entry] of servers) {
    const problem = enabled.has(name)
      ? problemOf(entry, enabled.get(name), marks.get(name))
      : settings.serverNames.includes(name)
        ? "disabled"
        : "gone"
    if (problem !== undefined) stale.set(name, problem)
  }
  return stale
}

/** A manifest of an older version may know neither configuration nor offer: then nothing is said of them. */
function problemOf(
  { config, offer }: ManifestServer,
  fingerprint: string | undefined,
  mark: Mark | undefined,
): Problem | undefined {
  if (config !== undefined && config !== fingerprint) return "reconfigured"
  if (mark === undefined) return undefined
  if (mark.offer !== undefined && mark.offer !== offer) return "changed"
  if (mark.doubtful.includes("tools")) return "doubtfulTools"
  return mark.doubtful.length > 0 ? "doubtfulOthers" : undefined
}

function listOf(names: string[]): string {
  const more = names.length > mostShown ? `, and ${names.length - mostShown} more` : ""
  return names.slice(0, mostShown).join(", ") + more
}
