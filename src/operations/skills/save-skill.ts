// Makes a skill of a script that has just worked: the last run that used a tool, or a file. What it used is
// noted with the hashes of the tools' wrappers, so that `skills check` can tell when one changes.
import { readFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import { z } from "zod"
import { McpExecError } from "../../errors.ts"
import { usageLine } from "../../guest/skill-usage.ts"
import { type LastRun, readLastRun } from "../../skills/last-run.ts"
import { parses } from "../../skills/parses.ts"
import { readDeclaration } from "../../skills/read-declaration.ts"
import type { NamedArgument } from "../../skills/script-arguments.ts"
import { skillsFolder } from "../../skills/skill-files.ts"
import { problemWithDescription } from "../../skills/skill-name.ts"
import { type KnownServers, usedTools } from "../../skills/used-tools.ts"
import { describedBy, wrapScript } from "../../skills/wrap-script.ts"
import type { OperationContext } from "../context.ts"
import { readServers } from "./known-servers.ts"
import { parseArgument } from "./parse-argument.ts"
import { readProject } from "./project.ts"
import { checkFree, checkName, writeSkill } from "./write-skill.ts"

export const saveSkillInput = z.object({
  name: z.string().describe("lower-case words with hyphens"),
  from: z.string().optional().describe("the script; the last run when absent"),
  description: z.string().optional().describe("what it does, in a sentence"),
  args: z.array(z.string()).default([]).describe("name:kind[=default] for each argument, in their order"),
  force: z.boolean().default(false).describe("write over a skill of that name"),
})

export type SaveSkillInput = z.input<typeof saveSkillInput>

export interface SaveSkillOutput {
  name: string
  /** Seen from the project's folder. */
  path: string
  directory: string
  form: "skill" | "plain" | "unchanged"
  /** How it is called, in one line. */
  usage: string
  args: NamedArgument[]
  /** `server.tool`, as far as known. */
  tools: string[]
}

/** Writes skills/<name>.ts from a script, and notes what it uses. */
export async function saveSkill(
  context: OperationContext,
  input: z.input<typeof saveSkillInput>,
): Promise<SaveSkillOutput> {
  const { name, from, description: given, args, force } = saveSkillInput.parse(input)
  checkName(name)
  const declared = args.map(parseArgument)
  const { directory } = await readProject(context)
  checkFree(directory, name, force)
  const { code, path, tools: called } = await scriptToSave(context, directory, from)
  const servers = readServers(directory)
  const tools = new Map(
    [...called, ...named(code, servers)].map(([server, tool]) => [`${server}.${tool}`, { server, tool }]),
  )
  const description = given ?? (describedBy(code, path) || summaryOf(name, [...tools.keys()]))
  const problem = problemWithDescription(description)
  if (problem !== undefined)
    throw new McpExecError("E_USAGE", `--description: ${problem}`, { hint: "One sentence is best." })
  const used = [...new Set([...tools.values()].map(({ server }) => server))].sort()
  const wrapped = wrapScript({
    declaration: { name, description, ...(used.length > 0 && { servers: used }) },
    args: declared,
    code,
    from: path,
    folder: join(directory, skillsFolder),
  })
  const hashes = [...tools].flatMap(([key, { server, tool }]) => {
    const known = servers.get(server)?.tools
    return known !== undefined && Object.hasOwn(known, tool) ? [[key, known[tool]?.hash ?? ""] as const] : []
  })
  const written = await writeSkill(directory, name, wrapped.text, { force, tools: Object.fromEntries(hashes) })
  const { form, text, args: taken } = wrapped
  const usage = usageLine(readDeclaration(text, name).declaration)
  return { name, path: written, directory, form, usage, args: taken, tools: [...tools.keys()].sort() }
}

async function scriptToSave(context: OperationContext, project: string, from: string | undefined): Promise<LastRun> {
  const last = readLastRun(context.cacheDirectory, project)
  if (from === undefined) {
    if (last !== undefined) return last
    throw new McpExecError("E_USAGE", "No run is remembered that used a tool and ended well", {
      hint: "Run the script first (mcp-exec exec …), or name a file: mcp-exec skills save NAME --from script.ts",
    })
  }
  const path = resolve(context.cwd, from)
  let code: string
  try {
    code = await readFile(path, "utf8")
  } catch (cause) {
    throw new McpExecError("E_USAGE", `--from names a file that cannot be read: ${path}`, {
      hint: "Give it the path of a script, or leave it out to save the last run.",
      cause,
    })
  }
  if (code.includes("\0")) throw new McpExecError("E_USAGE", `${path} is not text`, { hint: "Give --from a script." })
  if (code.trim() === "") throw new McpExecError("E_USAGE", `${path} is empty`, { hint: "There is nothing to save." })
  if (!parses(code)) {
    throw new McpExecError("E_USAGE", `${path} is not valid TypeScript`, { hint: `See why: mcp-exec exec ${from}` })
  }
  // What the very same script called in its last run is known for certain.
  return { path, code, tools: last?.code === code ? last.tools : [] }
}

function named(code: string, servers: KnownServers): [string, string][] {
  return usedTools(code, servers).flatMap(({ server, tool }) => (servers.has(server) ? [[server, tool]] : []))
}

function summaryOf(name: string, tools: readonly string[]): string {
  const words = name.replaceAll("-", " ")
  const start = words.charAt(0).toUpperCase() + words.slice(1)
  return tools.length === 0 ? start : `${start}, with ${tools.slice(0, 5).join(", ")}`
}
