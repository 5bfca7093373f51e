// What a user can do: the operations that commands use, and why a surface leaves one out.
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { repository } from "../fixtures/project.ts"

/** Operations of commands that the library leaves out. */
export const leftOutOfLibrary: Record<string, string> = {
  "daemon/control.ts": "is about the connections that outlive a command; an instance keeps its own",
  "daemon/next-time.ts": "starts what `exec` and `call` of the command line find next time",
  "doctor.ts": "examines a terminal and its environment, for a person who sits there",
  "init/init.ts": "sets up a folder and the agents on a machine, with questions to a person",
  "nameable.ts": "is for shells that complete words",
  "sandbox/pool.ts": "starts containers ahead, which an instance does for itself",
}

const inScripts = "is done in a script: the model should see no more than it needs"
const byPerson = "changes what may run, or what is trusted: for a person to decide, not for a model"
const byFile = "is done by writing files, which an agent can; each tool of the server costs every task its tokens"

/** Operations of commands that the MCP server leaves out: its surface is small, and constant. */
export const leftOutOfServer: Record<string, string> = {
  ...leftOutOfLibrary,
  "call-tool.ts": inScripts,
  "list-tools.ts": inScripts,
  "list-servers.ts": "search_tools with an empty query lists the generated ones, which are those that can be called",
  "discover/discover-init.ts": byPerson,
  "discover/discover-status.ts": "search_tools with detail full shows each type, and whether it is known",
  "sandbox/build.ts": byPerson,
  "sandbox/prune.ts": byPerson,
  "sandbox/status.ts": "execute_script says what is wrong when a sandbox is needed and cannot be had",
  "skills/add-skills.ts": byPerson,
  "skills/approve-skill.ts": byPerson,
  "skills/check-skills.ts": "execute_script checks with check: true",
  "skills/export-skills.ts": byPerson,
  "skills/new-skill.ts": byFile,
  "skills/remove-skill.ts": byFile,
  "skills/save-skill.ts": byFile,
}

/** Operations whose outputs are not compared. */
export const withoutScenario: Record<string, string> = {
  "daemon/control.ts": "is on one surface alone",
  "daemon/next-time.ts": "is on one surface alone",
  "doctor.ts": "is on one surface alone",
  "init/init.ts": "is on one surface alone",
  "nameable.ts": "is on one surface alone",
  "sandbox/build.ts": "builds an image; tests of the sandbox do",
  "sandbox/pool.ts": "is on one surface alone",
  "sandbox/prune.ts": "removes what other tests use at the same time",
  "skills/export-skills.ts": "writes to folders of agents; its own tests do",
}

const source = join(repository, "src")

/** What is the same under two names. */
const sameAs: Record<string, string> = {
  "daemon/call.ts": "call-tool.ts",
  "library/check-named.ts": "skills/check-script.ts",
  "library/run-script.ts": "exec.ts",
  "search/find-tools.ts": "search/search-tools.ts",
}

/** All files below src/operations that hold an operation: a function of a context. */
const operations = new Set(
  filesIn("operations").filter((file) =>
    /export (?:async )?function \w+(?:<[^(]*>)?\(\s*(?:\w+|\{[^}]*\}): OperationContext\b/.test(
      read("operations", file),
    ),
  ),
)

/** What a user can do: the operations that any file of the command line loads. */
export const operationsOfCommands = operationsIn(filesIn("cli").map((file) => read("cli", file)))

export const operationsOfLibrary = operationsIn([readFileSync(join(source, "index.ts"), "utf8")])

function operationsIn(texts: readonly string[]): Set<string> {
  const loaded = texts.flatMap((text) => [
    ...[...text.matchAll(/import\("[./]+\/operations\/([^"]+)"\)/g)].map(([, path]) => path as string),
    ...[...text.matchAll(/^import ([^"]*?) from "[./]+\/operations\/([^"]+)"/gm)].flatMap(([, names, path]) => {
      // Of what is imported at once, types do not count.
      const isLoaded = !names?.startsWith("type ") && /[{,]\s*(?!type\b)\w/.test(names ?? "")
      return isLoaded ? [path as string] : []
    }),
  ])
  return new Set(loaded.filter((path) => operations.has(path)).map((path) => sameAs[path] ?? path))
}

function filesIn(folder: string): string[] {
  const names = readdirSync(join(source, folder), { recursive: true, encoding: "utf8" })
  return names.filter((name) => name.endsWith(".ts")).map((name) => name.replaceAll("\\", "/"))
}

function read(folder: string, file: string): string {
  return readFileSync(join(source, folder, file), "utf8")
}
