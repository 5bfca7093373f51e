// A query → the tools it may mean, best first. Pure: no files, no servers, and no query makes it throw.
import { fitNames } from "./names.ts"
import type { IndexedServer, SearchIndex } from "./open-index.ts"
import { parseQuery } from "./query.ts"
import { scoreTools } from "./score.ts"
import { mostRepeats, repeatLoss } from "./weights.ts"

export interface SearchHit {
  server: string
  tool: string
  description: string
  /** Comparable within one search only. From 20: the query is the tool's name; from 10: it begins it. */
  score: number
}

export interface SearchOptions {
  /** Only this server's tools. */
  server?: string
  /** 10 unless told. */
  limit?: number
}

const defaultLimit = 10
// More than fitting well can give.
const nameScore = 10
// Beyond the limit, so many more are looked at when servers take turns.
const considered = 200

/** The tools that a query may mean: by name first, then by score, servers taking turns where scores are close. */
export function searchIndex(index: SearchIndex, text: string, options: SearchOptions = {}): SearchHit[] {
  const { limit = defaultLimit, server } = options
  const scores = scoreTools(index, parseQuery(text))
  const names = fitNames(index, text)
  for (let tool = 0; tool < scores.length; tool++) {
    scores[tool] = (scores[tool] as number) + nameScore * (names[tool] as number)
  }
  const servers = index.servers.filter(({ name }) => server === undefined || name === server)
  const found = takeTurns(best(servers, scores, limit + considered))
  return found.slice(0, Math.max(0, limit)).map(({ server: { name, tools, descriptions, firstTool }, tool, score }) => {
    const place = tool - firstTool
    return { server: name, tool: tools[place] ?? "", description: String(descriptions[place] ?? ""), score }
  })
}

interface Scored {
  server: IndexedServer
  tool: number
  score: number
}

/** The tools of all servers, or of one, with the highest scores; those of equal score in the order of the index. */
function best(servers: readonly IndexedServer[], scores: Float64Array, count: number): Scored[] {
  const last = servers.at(-1) ?? { firstTool: 0, tools: [] }
  // Sorting numbers is much faster than sorting tools by them, and most tools are far behind.
  const sorted = scores.slice(servers[0]?.firstTool ?? 0, last.firstTool + last.tools.length).sort()
  const least = sorted[Math.max(0, sorted.length - count)] ?? 0
  const found: Scored[] = []
  for (const server of servers) {
    for (let tool = server.firstTool; tool < server.firstTool + server.tools.length; tool++) {
      const score = scores[tool] as number
      if (score > 0 && score >= least) found.push({ server, tool, score })
    }
  }
  return found.sort(byScore)
}

/** Lowers a server's second tool a little, its third a little more, and so on. */
function takeTurns(found: readonly Scored[]): Scored[] {
  const seen = new Map<IndexedServer, number>()
  const lowered = found.map(({ server, tool, score }) => {
    const repeats = seen.get(server) ?? 0
    seen.set(server, repeats + 1)
    const name = score - (score % nameScore)
    return { server, tool, score: name + (score - name) * (1 - repeatLoss) ** Math.min(mostRepeats, repeats) }
  })
  return lowered.sort(byScore)
}

function byScore(one: Scored, other: Scored): number {
  return other.score - one.score || one.tool - other.tool
}
