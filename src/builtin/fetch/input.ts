import { FetchFailure } from "./failure.ts"

const defaultMaxLength = 20_000

/** What the caller of the tool asks for. */
export interface FetchInput {
  url: string
  maxLength: number
  startIndex: number
  raw: boolean
}

export const inputSchema = {
  type: "object",
  properties: {
    url: { type: "string", format: "uri", description: "http or https" },
    maxLength: {
      type: "integer",
      minimum: 1,
      default: defaultMaxLength,
      description: "Most characters to return",
    },
    startIndex: { type: "integer", minimum: 0, default: 0, description: "Character to start at" },
    raw: { type: "boolean", default: false, description: "The body as it was sent, not as markdown" },
  },
  required: ["url"],
}

/** Checks the arguments of a call and fills in what it leaves out. */
export function readArguments(args: Record<string, unknown>): FetchInput {
  const { url, maxLength = defaultMaxLength, startIndex = 0, raw = false } = args
  if (typeof url !== "string") throw new FetchFailure("url must be a string")
  if (!isIntegerFrom(1, maxLength)) throw new FetchFailure("maxLength must be an integer of at least 1")
  if (!isIntegerFrom(0, startIndex)) throw new FetchFailure("startIndex must be an integer of at least 0")
  if (typeof raw !== "boolean") throw new FetchFailure("raw must be true or false")
  return { url, maxLength, startIndex, raw }
}

function isIntegerFrom(minimum: number, value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= minimum
}
