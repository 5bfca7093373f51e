export interface ImportCase {
  name: string
  /** Files by path: `~/` is the home folder, `./` the project. */
  given: Record<string, string>
  env?: Record<string, string>
  platform?: string
  want: Record<string, unknown>
  /** Without the program's name. */
  notes?: string[]
}

/** The text of a JSON file. */
export function json(value: unknown): string {
  return JSON.stringify(value, null, 2)
}
