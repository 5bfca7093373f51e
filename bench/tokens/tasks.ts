// What the six tasks are, as an agent meets them. The code of each is in tasks/<name>.ts.

export interface Task {
  name: string
  /** What the agent would look for. */
  query: string
  /** The tools it reads about before it writes the script. */
  tools: string[]
  /** What the skill says of itself. */
  description: string
  /** Its skill is told where the articles are. */
  takesUrl?: boolean
}

export const tasks: Task[] = [
  {
    name: "overdue-invoices",
    query: "list a directory and read text files",
    tools: ["files.list_directory", "files.read_text_file"],
    description: "Sum up what each customer owes in overdue invoices",
  },
  {
    name: "slow-requests",
    query: "read a text file",
    tools: ["files.read_text_file"],
    description: "Find the slowest routes in the server logs of this week",
  },
  {
    name: "repository-report",
    query: "git status, log and branches",
    tools: ["git.git_status", "git.git_log", "git.git_branch"],
    description: "Report a repository's state: branch, changes, commits by author",
  },
  {
    name: "page-links",
    query: "fetch a web page",
    tools: ["web.fetch"],
    description: "Count words and links of the published articles",
    takesUrl: true,
  },
  {
    name: "most-connected",
    query: "read the knowledge graph",
    tools: ["memory.read_graph"],
    description: "Name the entities with most relations in the knowledge graph",
  },
  {
    name: "add-two-numbers",
    query: "sum of two numbers",
    tools: ["calculator.add"],
    description: "Add two numbers",
  },
]
