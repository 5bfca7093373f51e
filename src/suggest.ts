const mostNamesShown = 10

/** The candidate that was probably meant, or undefined when none is close enough to be worth a question. */
export function suggest(word: string, candidates: Iterable<string>): string | undefined {
  const given = word.toLowerCase()
  let best: string | undefined
  // A third of the letters may be wrong; a single letter never suggests another one.
  let limit = Math.max(1, Math.floor(given.length / 3)) + 1
  for (const candidate of candidates) {
    const wanted = candidate.toLowerCase()
    const shared = Math.max(given.length, wanted.length)
    const distance = editDistance(given, wanted, limit)
    if (distance >= limit || distance >= shared) continue
    best = candidate
    limit = distance
    if (distance === 0) break
  }
  return best
}

/** Damerau–Levenshtein (optimal string alignment). Gives up, returning `limit`, once it cannot be smaller. */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit
  let beforePrevious: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    let smallest = row
    for (let column = 1; column <= b.length; column++) {
      const cost = a[row - 1] === b[column - 1] ? 0 : 1
      let value = Math.min(at(previous, column) + 1, at(current, column - 1) + 1, at(previous, column - 1) + cost)
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      if (swapped) value = Math.min(value, at(beforePrevious, column - 2) + 1)
      current.push(value)
      smallest = Math.min(smallest, value)
    }
    if (smallest >= limit) return limit
    beforePrevious = previous
    previous = current
  }
  return at(previous, b.length)
}

function at(row: number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY
}

/** What to say to one who asked for a name that is not there: the one that was probably meant, and which there are. */
export function nearMiss(given: string, names: readonly string[], introduction: string): string {
  const meant = suggest(given, names)
  const shown = names.slice(0, mostNamesShown).join(", ")
  const more = names.length > mostNamesShown ? `, and ${names.length - mostNamesShown} more` : ""
  return `${meant === undefined ? "" : `Did you mean '${meant}'? `}${introduction}: ${shown}${more}`
}
