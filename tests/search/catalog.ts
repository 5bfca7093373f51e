// Small catalogs for the tests of search.
import type { Server, Tool } from "../../src/catalog.ts"
import { openIndex, type SearchIndex } from "../../src/search/open-index.ts"
import { indexServer, joinServers, type Segment } from "../../src/search/segment.ts"

/** A tool by name, description and descriptions of its parameters. */
export function tool(name: string, description = "", parameters: Record<string, string> = {}): Tool {
  const properties = Object.fromEntries(
    Object.entries(parameters).map(([key, text]) => [key, { type: "string", description: text }]),
  )
  return { name, description, inputSchema: { type: "object", properties } }
}

export function server(name: string, ...tools: Tool[]): Server {
  return { name, tools }
}

export function segmentOf(...servers: Server[]): Segment {
  return joinServers(servers.map((each) => indexServer(each)))
}

export function indexOf(...servers: Server[]): SearchIndex {
  return openIndex([segmentOf(...servers)])
}

export const github = server(
  "github",
  tool("create_issue", "Open a new issue in a repository", { title: "Title of the issue" }),
  tool("list_issues", "List issues of a repository, newest first", { state: "open, closed or all" }),
  tool("list_issue_comments", "List the comments on an issue"),
  tool("delete_branch", "Delete a branch of a repository"),
  tool("search_code", "Search source code in all repositories", { q: "What to search for" }),
  tool("get_pull_request", "Details of a pull request"),
)

export const files = server(
  "filesystem",
  tool("read_file", "Read the complete contents of a file", { path: "Where the file is" }),
  tool("write_file", "Create a file or overwrite one with new content", { path: "Where the file is" }),
  tool("list_directory", "List everything in a directory"),
  tool("remove_directory", "Remove an empty directory"),
)

export const mail = server(
  "mail",
  tool("sendMessage", "Send an e-mail to one or more people", { recipients: "E-mail addresses" }),
  tool("listMessages", "List messages in the inbox"),
  tool("convertCurrency", "Convert an amount between currencies at today's exchange rate"),
)
