// Finds tools and skills by words: `findTools`, for whoever gives anything.
import { z } from "zod"
import type { OperationContext } from "../context.ts"
import { searchDetails } from "./details.ts"
import { findTools, type SearchOutput } from "./find-tools.ts"

export const searchInput = z.object({
  query: z.string().describe("what the tool should do, in words, or a part of its name"),
  detail: z.enum(searchDetails).default("description").describe("how much is said of each hit"),
  server: z.string().optional().describe("only tools of this server"),
  limit: z.int().positive().max(100).default(10).describe("at most so many hits"),
})

export type SearchInput = z.input<typeof searchInput>

export type { FoundTool, SearchOutput } from "./find-tools.ts"

/** The tools and skills that a query may mean, best first. */
export async function searchTools(context: OperationContext, input: SearchInput): Promise<SearchOutput> {
  return await findTools(context, searchInput.parse(input))
}
