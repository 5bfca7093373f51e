// Plain text for people: what servers say is made harmless, columns are made to line up.
import { printable } from "../printable.ts"

/** The first line that says something. */
export function firstLine(text: string): string {
  return (
    printable(text)
      .split("\n")
      .map((line) => line.trim())
      .find((line) => line !== "") ?? ""
  )
}

// What agents read costs tokens: of a description only as much as tells tools apart.
const maxDescription = 72

/** The first sentence, cut between words. */
export function shortDescription(description: string): string {
  const text = firstLine(description)
  const sentence = /^.*?[.!?](?=\s|$)/.exec(text)?.[0].slice(0, -1) ?? text
  if (sentence.length <= maxDescription) return sentence
  const start = sentence.slice(0, maxDescription).toWellFormed()
  return `${start.replace(/\s+\S*$/, "")}…`
}

/** Rows as aligned columns, two spaces apart. With `width`, the last column is cut to fit it. */
export function alignColumns(rows: readonly (readonly string[])[], width?: number): string {
  const columns = Math.max(0, ...rows.map((row) => row.length))
  const widths = Array.from({ length: columns }, (_, index) =>
    Math.max(...rows.map((row) => lengthOf(row[index] ?? ""))),
  )
  const lines = rows.map((row) => {
    const padded = row.map((cell, index) => cell + " ".repeat((widths[index] ?? 0) - lengthOf(cell)))
    return cut(padded.join("  ").trimEnd(), width)
  })
  return lines.map((line) => `${line}\n`).join("")
}

/** Text whose further lines stand under its first. */
export function indentAfterFirst(text: string, indent: string): string {
  return text.replaceAll("\n", `\n${indent}`)
}

function cut(line: string, width: number | undefined): string {
  const characters = [...line]
  return width === undefined || characters.length <= width ? line : `${characters.slice(0, width - 1).join("")}…`
}

function lengthOf(text: string): number {
  return [...text].length
}
