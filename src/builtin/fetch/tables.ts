// Tables of data become Markdown tables; tables that only lay a page out are left to the converter,
// which turns each cell into a paragraph. The cells are marked first: the rules see one node at a time.
import type TurndownService from "turndown"
import type { DomElement } from "./dom.ts"

const mark = "data-mcp-exec-table"

/** Marks every table that holds data: at least two columns and rows, and no table inside. */
export function markTables(root: DomElement): void {
  for (const table of Array.from(root.getElementsByTagName("table"))) {
    if (table.getAttribute("role") === "presentation" || table.getElementsByTagName("table").length > 0) continue
    const rows = Array.from(table.getElementsByTagName("tr"))
    const columns = rows.reduce((most, row) => Math.max(most, [...row.children].length), 0)
    if (rows.length < 2 || columns < 2) continue
    table.setAttribute(mark, "table")
    for (const tag of ["thead", "tbody", "tfoot"]) {
      for (const section of Array.from(table.getElementsByTagName(tag))) section.setAttribute(mark, "section")
    }
    rows.forEach((row, index) => {
      row.setAttribute(mark, index === 0 ? `first ${columns} ${columns - [...row.children].length}` : "row")
      for (const cell of row.children) cell.setAttribute(mark, "cell")
    })
  }
}

/** Teaches the converter to write the marked tables. */
export function addTableRules(service: TurndownService): void {
  service.addRule("dataTable", {
    filter: (node) => markOf(node) !== null,
    replacement: (content, node) => {
      const [kind, columns, missing] = (markOf(node) ?? "").split(" ")
      switch (kind) {
        case "table":
          return `\n\n${content.trim()}\n\n`
        case "cell":
          return ` ${content
            .trim()
            .replace(/\s*\n\s*/g, " ")
            .replaceAll("|", "\\|")} |`
        case "first":
          return `\n|${content}${"  |".repeat(Number(missing))}\n|${" --- |".repeat(Number(columns))}`
        case "row":
          return `\n|${content}`
        default:
          return `\n${content.trim()}`
      }
    },
  })
}

function markOf(node: unknown): string | null {
  return (node as DomElement).getAttribute(mark)
}
