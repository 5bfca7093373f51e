/** How much is said of each thing that a search finds: its name, a line, or what `cat` prints. */
export const searchDetails = ["name", "description", "full"] as const

export type SearchDetail = (typeof searchDetails)[number]
