// Learns from 1,000 results of 100 KB, given as text, and prints how long that took and the memory it had
// at most. "alike": records as lists have them. "unlike": every result has keys of its own, several levels deep.
import { loadQuicktype } from "../../src/discovery/infer.ts"
import { printDiscovered } from "../../src/discovery/print.ts"
import { addSample, emptyShape } from "../../src/discovery/shape.ts"
import { settleWords } from "../../src/discovery/words.ts"

const samples = 1000
const sampleBytes = 100_000
const make = { alike, unlike }[process.argv[2] ?? ""] ?? alike

let peakBytes = 0
let tookMs = 0
const shape = emptyShape()
for (let sample = 0; sample < samples; sample++) {
  const text = make(sample)
  const startedAt = performance.now()
  addSample(shape, { sample }, JSON.parse(text))
  tookMs += performance.now() - startedAt
  if (sample % 50 === 0) peakBytes = Math.max(peakBytes, process.memoryUsage.rss())
}
const startedAt = performance.now()
settleWords(shape)
const types = printDiscovered(await loadQuicktype(), [{ tool: "bench", type: "Bench", shape }])
tookMs += performance.now() - startedAt
peakBytes = Math.max(peakBytes, process.memoryUsage.rss())
console.log(JSON.stringify({ tookMs, peakMb: peakBytes / 2 ** 20, typesBytes: types.length }))

function alike(sample: number): string {
  const record = (at: number) => ({
    id: sample * 1000 + at,
    title: `Thing ${at} of ${sample}`,
    state: ["open", "closed", "draft"][at % 3],
    user: { login: `user${at % 50}`, id: at % 50, url: `https://example.com/${at}` },
    labels: at % 2 === 0 ? [{ name: "bug", color: "red" }] : [],
    ...(at % 5 === 0 && { closed_at: "2026-01-01T00:00:00Z" }),
    body: at % 7 === 0 ? null : "Some words that say what it is about. ".repeat(3),
  })
  const items = []
  for (let size = 0; size < sampleBytes; size += JSON.stringify(items.at(-1)).length) items.push(record(items.length))
  return JSON.stringify({ total: items.length, items })
}

function unlike(sample: number): string {
  const nested = (level: number, name: string): unknown => {
    if (level === 0) return { [`${name}x`]: 1 }
    return Object.fromEntries(["a", "b", "c", "d"].map((key) => [`${name}${key}`, nested(level - 1, `${name}${key}`)]))
  }
  const parts = []
  const name = (at: number) => `k${[...`${sample * 100 + at}`].map((digit) => "abcdefghij"[Number(digit)]).join("")}`
  for (let size = 0; size < sampleBytes; size += JSON.stringify(parts.at(-1)).length) {
    parts.push({ [name(parts.length)]: nested(4, "m") })
  }
  return JSON.stringify(parts)
}
