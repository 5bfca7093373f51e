import { arg, callTool, skill } from "mcp-exec"

type Changes = Record<string, string[] | undefined>

interface Status {
  currentBranch: string | null
  upstream?: string
  ahead?: number
  behind?: number
  isClean: boolean
  stagedChanges: Changes
  unstagedChanges: Changes
  untrackedFiles: string[]
  conflictedFiles: string[]
}

interface Log {
  commits: { shortHash: string; author: string; timestamp: number; subject: string }[]
}

interface Branches {
  branches: { name: string; current: boolean; upstream?: string; ahead?: number; behind?: number }[]
}

export default skill(
  {
    name: "multi-tool-pipeline",
    description: "Reports where a git repository stands: branch, changes, last commits, other branches.",
    whenToUse: "Before starting or handing over work in a repository. Three tool calls become one short report.",
    args: {
      path: arg.string({ default: ".", description: "The repository" }),
      commits: arg.integer({ default: 5, min: 1, max: 100, description: "Most commits" }),
      server: arg.string({ default: "git" }),
    },
    servers: ["git"],
    returns: "Markdown",
    examples: ["mcp-exec exec multi-tool-pipeline --path ~/src/app --commits 3"],
  },
  async ({ path, commits, server }, { cwd, log }) => {
    const isAbsolute = /^(?:\/|[A-Za-z]:)/.test(path)
    const repository = { path: isAbsolute ? path : path === "." ? cwd : `${cwd}/${path}` }
    const [status, { branches }] = await Promise.all([
      callTool<Status>(server, "git_status", repository),
      callTool<Branches>(server, "git_branch", { ...repository, mode: "list" }),
    ])
    // A repository without branches has no commits, and its log would be an error.
    const history: Log =
      branches.length === 0
        ? { commits: [] }
        : await callTool<Log>(server, "git_log", { ...repository, maxCount: commits })
    log(`read ${history.commits.length} commits and ${branches.length} branches of ${repository.path}`)
    return report(status, history, branches)
  },
)

function report(status: Status, { commits }: Log, branches: Branches["branches"]): string {
  const changes = [
    ...changeLines("conflict", { "": status.conflictedFiles }),
    ...changeLines("staged", status.stagedChanges),
    ...changeLines("not staged", status.unstagedChanges),
    ...changeLines("untracked", { "": status.untrackedFiles }),
  ]
  const others = branches.filter(({ current }) => !current)
  return [
    `# ${status.currentBranch ?? "detached HEAD"}${distance(status)}`,
    section(status.isClean ? "Clean" : `${changes.length} changes`, changes),
    section(commits.length === 0 ? "No commits" : "Last commits", commits.map(commitLine)),
    ...(others.length > 0
      ? [
          section(
            "Other branches",
            others.map((branch) => `- ${branch.name}${distance(branch)}`),
          ),
        ]
      : []),
  ].join("\n\n")
}

function section(title: string, lines: string[]): string {
  return [`## ${title}`, ...lines].join("\n")
}

function changeLines(state: string, changes: Changes): string[] {
  return Object.entries(changes).flatMap(([kind, files = []]) =>
    files.map((file) => `- ${file} (${[state, kind].filter((word) => word !== "").join(", ")})`),
  )
}

function commitLine({ shortHash, author, timestamp, subject }: Log["commits"][number]): string {
  return `- ${shortHash} ${new Date(timestamp * 1000).toISOString().slice(0, 10)} ${author}: ${subject}`
}

function distance({ upstream, ahead = 0, behind = 0 }: { upstream?: string; ahead?: number; behind?: number }): string {
  if (upstream === undefined) return ""
  return ahead + behind === 0 ? `, as ${upstream}` : `, ${ahead} ahead and ${behind} behind ${upstream}`
}
