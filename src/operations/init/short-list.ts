const mostShown = 20

/** Names for a line that people read: of very many only the first, and how many more there are. */
export function shortList(names: readonly string[]): string {
  const more = names.length - mostShown
  return [...names.slice(0, mostShown), ...(more > 0 ? [`and ${more} more`] : [])].join(", ")
}
