/** One thing that doctor looked at. */
export interface Check {
  area: "config" | "server" | "container" | "terminal" | "runtime"
  name: string
  /** `note`: nothing is wrong, but something would not work. `warn`: probably not what was meant. */
  status: "ok" | "note" | "warn" | "fail"
  message: string
  hint?: string
  /** The error code of a failure. */
  code?: string
  durationMs?: number
  details?: unknown
}

/** What the caller knows about the streams that it prints to and reads from. */
export interface Terminal {
  stdin: boolean
  stdout: boolean
  stderr: boolean
  color: boolean
}
