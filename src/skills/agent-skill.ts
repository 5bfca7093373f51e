// A skill as an Agent Skill: the SKILL.md that tells an agent what it is for and how to run it.
import { stringify } from "yaml"
import { describeSkill } from "../guest/skill-usage.ts"
import type { Skill } from "./find-skills.ts"
import { longestDescription } from "./skill-name.ts"

// How a file that we have written is told from one that somebody else has.
const mark = "<!-- Written by mcp-exec skills export. -->"

/** The text of SKILL.md. */
export function agentSkillText({ declaration, instructions, path, script }: Skill): string {
  const { name, description, whenToUse, servers = [], examples = [] } = declaration
  const matter = stringify({ name, description: limited(sentence(description, whenToUse)) }, { lineWidth: 0 })
  const [example] = examples
  const parts = [
    `---\n${matter}---`,
    mark,
    `# ${name}`,
    ...(script === undefined
      ? []
      : [
          `Run it in the project's folder${example === undefined ? "" : ", for example"}:`,
          ...(example === undefined ? [] : [fenced("sh", example)]),
          fenced("text", describeSkill(declaration)),
          "What it returns is printed on stdout, progress on stderr. The exit code is 0 when it worked, 2 for wrong arguments.",
          `Its code: \`mcp-exec cat ${name} --source\`.`,
        ]),
    ...((instructions ?? "").trim() === "" ? [] : [`Files that are named here are in \`${folderOf(path)}\`.`]),
    (instructions ?? "").trim(),
    ...(servers.length === 0 ? [] : [`It needs these MCP servers in mcp_config.json: ${servers.join(", ")}.`]),
  ]
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1)
}

/** True for a text that `agentSkillText` has made. */
export function isExported(text: string): boolean {
  return text.includes(mark)
}

function sentence(description: string, whenToUse: string | undefined): string {
  const text = plain(description)
  return whenToUse === undefined ? text : `${text.replace(/[.!?]?$/, ".")} When to use: ${plain(whenToUse)}`
}

/** The rules allow no tags, which could be taken for instructions. */
function plain(text: string): string {
  return text.replace(/[<>]/g, "").replace(/\s+/g, " ").trim()
}

function limited(text: string): string {
  return text.length <= longestDescription ? text : `${text.slice(0, longestDescription - 1).toWellFormed()}…`
}

/** A fence that the text itself cannot close. */
function fenced(language: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = "`".repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}
