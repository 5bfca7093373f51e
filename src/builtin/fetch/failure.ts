/** A page that cannot be had, in words for the caller of the tool. Anything else thrown is a defect of ours. */
export class FetchFailure extends Error {
  override readonly name = "FetchFailure"
}

/** The short form of what the runtime threw: its code where it has one. */
export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code } = error as NodeJS.ErrnoException
  if (error.message === "") return code ?? error.name
  return code === undefined || error.message.includes(code) ? error.message : `${error.message} (${code})`
}
