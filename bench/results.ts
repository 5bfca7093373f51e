// The results as a page: what was asked for and whether it was met, then every race with its numbers.
import type { Figure, Table } from "./job.ts"
import type { MissingPeer } from "./peers/peers.ts"

export interface Results {
  command: string
  /** The day. */
  date: string
  machine: string[]
  versions: string[]
  /** By the name of the job. */
  figures: Record<string, Figure[]>
  tables: Table[]
  missing: MissingPeer[]
}

/** The text of RESULTS.md. */
export function printResults({ command, date, machine, versions, figures, tables, missing }: Results): string {
  const all = Object.values(figures).flat()
  const measured = all.filter((figure) => "met" in figure)
  const met = measured.filter((figure) => figure.met).length
  return `# Benchmark results

Written by \`${command}\` on ${date}; do not edit. Contestants of a table took turns in one run; numbers are medians.
The ratio is against the first line, which is the floor. Of ${all.length} goals ${met} are met, ${measured.length - met} missed, ${all.length - measured.length} skipped.

${list(machine)}
- ${versions.join(" · ")}

## Goals

${goals(figures)}
## Side by side

A server from npm, on Node, reads a file of one word. Cold, it has to be started; warm, somebody keeps it.

${sideBySide(tables)}
${missing.length === 0 ? "" : `Skipped:\n\n${list(missing.map(({ name, reason }) => `**${name}**: ${reason}`))}\n\n`}## Races

${tables.map(printTable).join("\n")}
## Growth

![time against the number of tools, for generate, ls and search](growth.svg)

The dashed line goes through 100 and 2,250 tools.
`
}

/** One race, as Markdown. */
export function printTable({ title, rows }: Table): string {
  const hasCpu = rows.some(({ cpuMs }) => cpuMs !== undefined)
  const lines = rows.map(({ name, medianMs, ratio, cpuMs, turns }) => {
    const cpu = hasCpu ? [cpuMs === undefined ? "" : shown(cpuMs)] : []
    return [name, shown(medianMs), `${ratio.toFixed(2)}×`, ...cpu, String(turns)]
  })
  return `### ${title}\n\n${markdown(["", "median, ms", "ratio", ...(hasCpu ? ["CPU, ms"] : []), "turns"], lines)}`
}

/** Those races that are of the same task, one line for each who takes part. */
function sideBySide(tables: Table[]): string {
  const columns = tables.filter(({ column }) => column !== undefined)
  const names = new Set(columns.flatMap(({ rows }) => rows.flatMap(({ who }) => who ?? [])))
  const lines = [...names].map((name) => [
    name,
    ...columns.map(({ rows }) => {
      const found = rows.find(({ who }) => who === name)
      return found === undefined ? "–" : `${shown(found.medianMs)} ms (${found.ratio.toFixed(2)}×)`
    }),
  ])
  return markdown(["", ...columns.map(({ column }) => column ?? "")], lines)
}

function goals(figures: Results["figures"]): string {
  const rows = Object.entries(figures).flatMap(([job, own]) =>
    own.map((figure) => {
      const [value, verdict] =
        "met" in figure ? [figure.value, figure.met ? "met" : "**missed**"] : [figure.skipped, "**skipped**"]
      return [`\`${job}\``, figure.name, figure.goal, value, verdict]
    }),
  )
  return markdown(["job", "what", "goal", "measured", ""], rows)
}

function markdown(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |\n`
  return line(head) + line(head.map(() => "---")) + rows.map(line).join("")
}

function list(items: string[]): string {
  return items.map((item) => `- ${item}`).join("\n")
}

function shown(ms: number): string {
  return ms.toFixed(ms < 10 ? 2 : ms < 100 ? 1 : 0)
}
