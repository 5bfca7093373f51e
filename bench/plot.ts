// Draws curves as SVG, one panel beside the other: each with its own axis of time, and a straight line to
// compare with. Numbers in, text out.

export interface Panel {
  title: string
  points: Point[]
  /** Two points on the line that the curve should not leave upwards. */
  line: [Point, Point]
}

export interface Point {
  tools: number
  ms: number
}

const panel = { width: 300, height: 240, left: 52, right: 16, top: 36, bottom: 44 }
const ink = "#24292f"
const faint = "#d0d7de"
const curve = "#0969da"

/** All panels in one picture. */
export function drawPanels(panels: readonly Panel[]): string {
  const width = panel.width * panels.length
  const parts = panels.map((one, at) => `<g transform="translate(${at * panel.width} 0)">${drawPanel(one)}</g>`)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${panel.height}" width="${width}" height="${panel.height}" font-family="sans-serif" font-size="11" fill="${ink}">
<title>${escapeText(`Time against the number of tools: ${panels.map(({ title }) => title).join(", ")}`)}</title>
<rect width="${width}" height="${panel.height}" fill="#ffffff"/>
${parts.join("\n")}
</svg>
`
}

function drawPanel({ title, points, line }: Panel): string {
  const most = { tools: Math.max(...points.map(({ tools }) => tools)), ms: 0 }
  const end = atTools(line, most.tools)
  most.ms = Math.max(end.ms, ...points.map(({ ms }) => ms))
  const step = stepTo(most.ms)
  const limit = { tools: most.tools, ms: Math.ceil(most.ms / step) * step }
  const place = placer(limit)
  const marks = points.map((point) => `<circle ${at(place(point), "cx", "cy")} r="3" fill="${curve}"/>`)
  return [
    `<text x="${panel.left}" y="20" font-size="13" font-weight="bold">${escapeText(title)}</text>`,
    ...ticksTo(limit.ms, step).map((ms) => drawRow(place({ tools: 0, ms }).y, shownTime(ms))),
    ...ticksTo(limit.tools, stepTo(limit.tools)).map((tools) =>
      drawColumn(place({ tools, ms: 0 }).x, tools.toLocaleString("en-US")),
    ),
    `<text x="${(panel.left + panel.width - panel.right) / 2}" y="${panel.height - 8}" text-anchor="middle">tools</text>`,
    `<polyline points="${pairs([atTools(line, 0), end].map(place))}" fill="none" stroke="${ink}" stroke-dasharray="4 4"/>`,
    `<polyline points="${pairs(points.map(place))}" fill="none" stroke="${curve}" stroke-width="2"/>`,
    ...marks,
  ].join("\n")
}

interface Place {
  x: number
  y: number
}

function placer(limit: Point): (point: Point) => Place {
  const width = panel.width - panel.left - panel.right
  const height = panel.height - panel.top - panel.bottom
  return ({ tools, ms }) => ({
    x: round(panel.left + (tools / limit.tools) * width),
    y: round(panel.top + (1 - ms / limit.ms) * height),
  })
}

function drawRow(y: number, label: string): string {
  return `<line x1="${panel.left}" x2="${panel.width - panel.right}" y1="${y}" y2="${y}" stroke="${faint}"/><text x="${panel.left - 6}" y="${y + 4}" text-anchor="end">${label}</text>`
}

function drawColumn(x: number, label: string): string {
  const y = panel.height - panel.bottom
  return `<line x1="${x}" x2="${x}" y1="${y}" y2="${y + 4}" stroke="${ink}"/><text x="${x}" y="${y + 17}" text-anchor="middle">${label}</text>`
}

/** Where the straight line through two points is. */
export function atTools([from, to]: [Point, Point], tools: number): Point {
  const slope = (to.ms - from.ms) / (to.tools - from.tools)
  return { tools, ms: from.ms + slope * (tools - from.tools) }
}

/** Up to five steps, of 1, 2 or 5 times a power of ten. */
function stepTo(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most / 4))
  return [1, 2, 5, 10].map((factor) => factor * power).find((size) => most / size <= 5) ?? most
}

function ticksTo(most: number, step: number): number[] {
  return Array.from({ length: Math.floor(round(most / step)) + 1 }, (_, index) => round(index * step))
}

function shownTime(ms: number): string {
  return ms >= 1000 ? `${round(ms / 1000)} s` : `${round(ms)} ms`
}

function pairs(places: Place[]): string {
  return places.map(({ x, y }) => `${x},${y}`).join(" ")
}

function at({ x, y }: Place, nameX: string, nameY: string): string {
  return `${nameX}="${x}" ${nameY}="${y}"`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")
}
