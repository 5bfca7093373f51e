import { arg, callTool, skill } from "mcp-exec"

interface Hit {
  file: string
  matches: number
  /** The first line that matches. */
  line: number
  text: string
}

const leftOut = ["**/.git", "**/node_modules"]
const atOnce = 16
const longestLine = 160

export default skill(
  {
    name: "search-files",
    description: "Counts a text in all files of a tree and shows the files with most hits.",
    whenToUse: "To find where something is said without reading files.",
    args: {
      pattern: arg.string({ required: true, description: "Text or /regex/i" }),
      path: arg.string({ default: ".", description: "Folder" }),
      files: arg.string({ default: "**/*", description: "Glob" }),
      top: arg.integer({ default: 10, min: 0, description: "Most files shown" }),
      server: arg.string({ default: "filesystem" }),
    },
    servers: ["filesystem"],
    returns: "Counts, first matches",
    examples: ["mcp-exec exec search-files TODO --files '**/*.ts'", "mcp-exec exec search-files '/v\\d+/i'"],
  },
  async ({ pattern, path, files, top, server }, { log }) => {
    const wanted = expressionFor(pattern)
    const root = folderBelow(await firstDirectory(server), path)
    const found = textIn(
      await callTool(server, "search_files", { path: root, pattern: files, excludePatterns: leftOut }),
    )
    const paths = found.split("\n").filter((line) => line.startsWith("/") || /^[A-Za-z]:\\/.test(line))
    const folders = new Set(paths.map((each) => each.replace(/[\\/][^\\/]*$/, "")))
    const candidates = paths.filter((each) => !folders.has(each))
    log(`searching ${candidates.length} files in ${root}`)
    const texts = await inTurns(candidates, (each) =>
      callTool(server, "read_text_file", { path: each }).then(textIn, () => undefined),
    )
    const readable = texts.filter((text) => text !== undefined && !text.includes("\0")).length
    const hits = candidates.flatMap((each, index) => {
      const name = each.startsWith(root) ? each.slice(root.length + 1) : each
      return hitsIn(name, texts[index] ?? "", wanted)
    })
    hits.sort((a, b) => b.matches - a.matches || (a.file < b.file ? -1 : 1))
    return {
      searched: readable,
      unreadable: candidates.length - readable,
      filesWithMatches: hits.length,
      matches: hits.reduce((sum, hit) => sum + hit.matches, 0),
      top: hits.slice(0, top),
    }
  },
)

function expressionFor(pattern: string): RegExp {
  const [, source, flags = ""] = /^\/(.+)\/([imsu]*)$/s.exec(pattern) ?? []
  return new RegExp(source ?? pattern.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), `g${flags}`)
}

async function firstDirectory(server: string): Promise<string> {
  const [, directory] = textIn(await callTool(server, "list_allowed_directories")).split("\n")
  if (directory === undefined) throw new Error(`The server ${server} allows no directory: give it one, or use --path`)
  return directory
}

function folderBelow(directory: string, path: string): string {
  if (/^(?:\/|[A-Za-z]:)/.test(path)) return path
  const plain = path.replace(/^\.(?:\/|$)/, "").replace(/\/+$/, "")
  return plain === "" ? directory : `${directory}/${plain}`
}

/** The text of a result, with or without structured content. */
function textIn(result: unknown): string {
  return typeof result === "string" ? result : String((result as { content?: unknown }).content ?? "")
}

function hitsIn(file: string, text: string, wanted: RegExp): Hit[] {
  if (text.includes("\0")) return []
  const matches = [...text.matchAll(wanted)].filter(([match]) => match !== "")
  const [first] = matches
  if (first === undefined) return []
  const line = text.slice(0, first.index).split("\n").length
  const whole = text.split("\n")[line - 1]?.trim() ?? ""
  return [{ file, matches: matches.length, line, text: whole.slice(0, longestLine) }]
}

/** A few at a time: a server must not be asked for thousands of files at once. */
async function inTurns<Item, Result>(items: Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  for (let at = 0; at < items.length; at += atOnce) {
    results.push(...(await Promise.all(items.slice(at, at + atOnce).map(work))))
  }
  return results
}
