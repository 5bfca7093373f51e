import { callTool } from "mcp-exec"

interface Log {
  commits: { author: string }[]
}

export async function main(call = callTool) {
  const path = process.cwd()
  const status = await call<{ currentBranch: string; isClean: boolean }>("git", "git_status", { path })
  const { commits } = await call<Log>("git", "git_log", { path, maxCount: 100 })
  const { branches } = await call<{ branches: unknown[] }>("git", "git_branch", { path, mode: "list" })
  const authors = Object.entries(Object.groupBy(commits, ({ author }) => author))
  console.log(`${status.currentBranch}, ${status.isClean ? "clean" : "changed"}, ${branches.length} branches`)
  for (const [author, own] of authors) console.log(`${author}: ${own?.length} commits`)
}
