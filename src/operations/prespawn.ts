// A server needs longer to start than everything else a script waits for. The ones it names are
// started while the script itself is still loading.
import { readText } from "../config/files.ts"
import type { ExecSettings } from "../config/receipt.ts"
import type { OperationContext } from "./context.ts"
import type { ExecInput } from "./start-script.ts"

/** Starts the servers that the script's text names. Only a guess: what goes wrong here shows in the call. */
export function prespawnServers(
  context: OperationContext,
  input: ExecInput,
  { settings, serverNames }: { settings: ExecSettings; serverNames: readonly string[] },
): void {
  if (serverNames.length === 0) return
  textOf(input)
    .then(async (code) => {
      const named = namedServers(code, serverNames)
      if (named.length === 0) return
      await context.startAhead(settings, named)
      const manager = await context.manager()
      for (const server of named) manager.prespawn(server)
    })
    .catch((error) => context.log("debug", `nothing was started ahead: ${error}`))
}

/** What is run, as text. Rejects when there is no such file. */
export async function textOf({ script, text }: Pick<ExecInput, "script" | "text">): Promise<string> {
  return script.kind === "code" ? script.code : (text ?? (await readText(script.path)))
}

/** The servers whose names stand in a string (`"name"`, `"name__tool"`) or a path (`servers/name`). */
export function namedServers(code: string, serverNames: readonly string[]): string[] {
  return serverNames.filter((name) => {
    const quoted = name.replace(/[\\^$.*|?+()[\]{}]/g, "\\$&")
    return new RegExp(`(["'\`]|servers/)${quoted}(["'\`./]|__)`).test(code) || namesFolder(code, name)
  })
}

/** A server whose name is no folder's has one that begins like it, followed by a hash. */
function namesFolder(code: string, name: string): boolean {
  const folder = name.replace(/[^A-Za-z0-9_-]+/g, "-").replace(/^[-_]+|-+$/g, "")
  return folder !== name && code.includes(`servers/${folder}_`)
}
