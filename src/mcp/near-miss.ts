import { suggest } from "../suggest.ts"

const mostShown = 10

/** What to say to one who asked for a name that is not there: the one that was probably meant, and which there are. */
export function nearMiss(given: string, names: readonly string[], introduction: string): string {
  const meant = suggest(given, names)
  const shown = names.slice(0, mostShown).join(", ")
  const more = names.length > mostShown ? `, and ${names.length - mostShown} more` : ""
  return `${meant === undefined ? "" : `Did you mean '${meant}'? `}${introduction}: ${shown}${more}`
}
