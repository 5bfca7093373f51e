// mcp_config.json → Config. Loads the JSONC parser and zod, so whoever may not need it imports it
// lazily. Must never fall back to defaults: a file that does not validate stops the program.
import { basename, dirname, resolve } from "node:path"
import { parseDocument } from "./document.ts"
import { readConfigText } from "./files.ts"
import { invalidConfig, type Problem } from "./problems.ts"
import { type Config, configSchema } from "./schema.ts"
import { validate } from "./validate.ts"
import { findMisplaced, findTypos } from "./warnings.ts"

/** Reads and validates a configuration. Without a file: the defaults, and no servers. */
export async function loadConfig(options: { file?: string | undefined; cwd: string }): Promise<Config> {
  if (options.file === undefined) return defaultConfig(resolve(options.cwd))
  const file = resolve(options.cwd, options.file)
  return parseConfig(await readConfigText(file), { file })
}

/** Turns the text of a configuration into a validated one. Touches no disk; `file` is where the text came from. */
export function parseConfig(text: string, { file }: { file: string }): Config {
  const { value, lineOf, duplicates } = parseDocument(text, file)
  const problems: Problem[] = []
  const sections = validate(value, problems)
  const typos = findTypos(value)
  if (sections === undefined) throw invalidConfig(file, problems, { lineOf, typos })
  const directory = dirname(file)
  const repeated = duplicates.map((path) => `${path} is there more than once; the last one counts`)
  return {
    file,
    directory,
    ...sections,
    workspace: resolve(directory, sections.workspace),
    warnings: [...repeated, ...findMisplaced(value), ...typos].map((warning) => `${basename(file)}: ${warning}`),
  }
}

/** Without a file there is no project, and no folder is made for it: the workspace is where the user is. */
function defaultConfig(directory: string): Config {
  const { mcpServers: _, ...defaults } = configSchema.parse({})
  return { ...defaults, directory, servers: Object.create(null), workspace: directory, warnings: [] }
}
