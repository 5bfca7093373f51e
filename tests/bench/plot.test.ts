import { expect, test } from "bun:test"
import { atTools, drawPanels, type Point } from "../../bench/plot.ts"

const points: [Point, Point, Point] = [
  { tools: 100, ms: 10 },
  { tools: 1000, ms: 100 },
  { tools: 2000, ms: 400 },
]
const picture = drawPanels([
  { title: "a < b", points, line: [points[0], points[1]] },
  { title: "ls", points, line: [points[0], points[2]] },
])

test("a straight line goes on beyond its two points", () => {
  expect(atTools([points[0], points[1]], 2000)).toEqual({ tools: 2000, ms: 200 })
})

test("each panel has its points, and nothing leaves the picture", () => {
  expect(picture.match(/<circle /g)).toHaveLength(6)
  const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(picture) ?? []
  for (const [, x, y] of picture.matchAll(/cx="([\d.-]+)" cy="([\d.-]+)"/g)) {
    expect(Number(x)).toBeWithin(0, Number(width))
    expect(Number(y)).toBeWithin(0, Number(height))
  }
})

test("more time is drawn higher up, and more tools further to the right", () => {
  const [first, , last] = [...picture.matchAll(/cx="([\d.]+)" cy="([\d.]+)"/g)].map(([, x, y]) => [
    Number(x),
    Number(y),
  ])
  expect(last?.[0]).toBeGreaterThan(first?.[0] ?? 0)
  expect(last?.[1]).toBeLessThan(first?.[1] ?? 0)
})

test("titles are text, of the panels and of the whole", () => {
  expect(picture).toContain("<title>Time against the number of tools: a &lt; b, ls</title>")
  expect(picture).toContain(">a &lt; b</text>")
})
