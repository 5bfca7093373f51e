// npm run bench:search -- DIR: how well and how fast search finds tools. DIR has apigen.json and livemcpbench.json,
// each { tools: [{ id, server, name, description, inputSchema }], queries: [{ query, relevant }] }.
import { join } from "node:path"
import type { Server } from "../src/catalog.ts"
import { openIndex } from "../src/search/open-index.ts"
import { searchIndex } from "../src/search/search.ts"
import { indexServer, joinServers, type Segment } from "../src/search/segment.ts"
import { median } from "./measure.ts"
import { type DataSet, enlarge, readDataSet } from "./search/data-set.ts"
import { measure, type Quality, type Ranker } from "./search/measures.ts"
import { plainBm25 } from "./search/plain-bm25.ts"

const directory = process.argv[2]
if (directory === undefined) {
  console.error("Which directory? npm run bench:search -- DIR")
  process.exit(2)
}

const manyTools = 5_000
const loadedTools = 4_500
let missed = 0
const apigen = readDataSet(join(directory, "apigen.json"))
const live = readDataSet(join(directory, "livemcpbench.json"))

const apigenQuality = reportSet("apigen", apigen)
goal("apigen nDCG@10", apigenQuality.ndcg10, 83)
const liveQuality = reportSet("livemcpbench, the question alone", live)
goal("livemcpbench tool recall@5", liveQuality.toolRecall5, 42)
goal("livemcpbench server recall@5", liveQuality.serverRecall5, 70)
reportSpeed()
process.exit(missed > 0 ? 1 : 0)

/** Search against plain BM25, on either half of the questions: it should gain about as much on both. */
function reportSet(name: string, set: DataSet): Quality {
  const ours = ranker(set)
  console.log(`\n${name}: nDCG@10, recall@5 of tools, of servers, of the servers of five tools`)
  const plain = plainBm25(set)
  for (const [who, rank] of [
    ["plain BM25", plain],
    ["search", ours],
  ] as const) {
    report(`${who}, even questions`, measure(set, rank, 0))
    report(`${who}, odd questions`, measure(set, rank, 1))
    report(who, measure(set, rank))
  }
  return measure(set, ours)
}

function ranker(set: DataSet): Ranker {
  const index = openIndex([segmentOf(set.servers)])
  return (text) => searchIndex(index, text, { limit: 500 }).map(({ server, tool }) => set.idOf(server, tool))
}

function reportSpeed(): void {
  const servers = [...live.servers, ...apigen.servers]
  const questions = [...live.questions, ...apigen.questions.slice(0, 200)].map(({ text }) => text)
  const stored = JSON.stringify(segmentOf(enlarge(servers, loadedTools)))
  console.log(`\n${loadedTools} tools as a segment: ${(stored.length / 1_000_000).toFixed(2)} MB`)
  const loading = Array.from({ length: 15 }, () => timed(() => openIndex([JSON.parse(stored)])))
  limit("load it: JSON.parse and openIndex, first time", loading[0] ?? Number.NaN, 12)
  limit("load it again", Math.min(...loading), 12)

  const index = openIndex([segmentOf(enlarge(servers, manyTools))])
  // The best of several runs: whatever else the machine does can only add to it.
  const searching = questions.map((text) =>
    Math.min(...Array.from({ length: 5 }, () => timed(() => searchIndex(index, text)))),
  )
  const sorted = searching.toSorted((one, other) => one - other)
  limit(`a query over ${manyTools} tools`, median(searching), 5)
  console.log(
    `          19 of 20 take at most ${(sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN).toFixed(2)} ms`,
  )
}

function segmentOf(servers: readonly Server[]): Segment {
  return joinServers(servers.map((server) => indexServer(server)))
}

function timed(work: () => unknown): number {
  const startedAt = performance.now()
  work()
  return performance.now() - startedAt
}

function report(name: string, { ndcg10, toolRecall5, serverRecall5, serverOfToolRecall5 }: Quality): void {
  const figures = [ndcg10, toolRecall5, serverRecall5, serverOfToolRecall5].map((figure) =>
    figure.toFixed(1).padStart(6),
  )
  console.log(`          ${name.padEnd(58)} ${figures.join("  ")}`)
}

function goal(name: string, value: number, least: number): void {
  line(value >= least, name, value.toFixed(1), `≥ ${least}`)
}

function limit(name: string, ms: number, most: number): void {
  line(ms <= most, name, `${ms.toFixed(2)} ms`, `≤ ${most} ms`)
}

function line(met: boolean, name: string, value: string, wanted: string): void {
  if (!met) missed++
  console.log(`  ${met ? "met   " : "MISSED"}  ${name.padEnd(58)} ${value}   goal ${wanted}`)
}
