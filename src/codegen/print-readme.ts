// `<server>/README.md`: what a server has, for readers.
import type { Server } from "../catalog.ts"
import { commentText, markdownText } from "./escape.ts"
import type { ManifestResources, ManifestServer, PrintedTool } from "./print-server.ts"
import { tagsOf } from "./print-wrapper.ts"

const maxSummaryLength = 120

/** One line per tool, per prompt, and per template. */
export function printReadme(
  server: Server,
  tools: readonly PrintedTool[],
  entry: Pick<ManifestServer, "prompts" | "resources">,
): string {
  const about = summary(server.description ?? "")
  const ofTools = tools.map(({ tool, name }) => {
    return readmeLine(name.export, summary(tool.description || tool.title || ""), tagsOf(tool))
  })
  const prompts = Object.values(entry.prompts ?? {})
  const ofPrompts = prompts.map((prompt) => readmeLine(prompt.export, summary(prompt.description)))
  const blocks = [`# ${markdownText(server.name)}\n`, about === "" ? "" : `${about}\n`, ofTools.join("")]
  if (ofPrompts.length > 0) blocks.push("Prompts:\n", ofPrompts.join(""))
  if (entry.resources !== undefined) blocks.push("Resources:\n", readmeResources(entry.resources))
  return blocks.filter((block) => block !== "").join("\n")
}

function readmeResources({ count, listed = {}, templates = {} }: ManifestResources): string {
  const known = Object.entries(listed).map(([uri, text]) => [uri, text].filter((part) => part !== "").map(summary))
  const which =
    known.length > 0 ? `one of these ${count}:` : count > 0 ? `one of ${count}, which resources.ts tells` : "by its URI"
  return [
    readmeLine("readResource", which),
    ...known.map((parts) => `  - ${parts.join(" ")}\n`),
    ...Object.entries(templates).map(([uri, { export: exported, description }]) => {
      const text = [summary(uri), summary(description)].filter((part) => part !== "").join(" ")
      return exported === undefined ? `- ${text}\n` : readmeLine(exported, text)
    }),
  ].join("")
}

function readmeLine(exported: string, text: string, tags: readonly string[] = []): string {
  return `- ${[`\`${exported}\``, ...(text === "" ? [] : [text]), ...tags].join(" ")}\n`
}

function summary(text: string): string {
  const line = commentText(text)
  const sentence = /^.*?[.!?](?=\s|$)/.exec(line)?.[0] ?? line
  const short =
    sentence.length <= maxSummaryLength ? sentence : `${sentence.slice(0, maxSummaryLength - 1).toWellFormed()}…`
  return markdownText(short)
}
