import { runInNewContext } from "node:vm"

/**
 * Runs a function that cannot be awaited, only interrupted. Some pages keep the libraries busy for
 * minutes, and nothing else in this process would run meanwhile. Undefined when the time is over.
 */
export function withTimeLimit<T>(timeoutMs: number, run: () => T): T | undefined {
  try {
    return runInNewContext("run()", { run }, { timeout: timeoutMs }) as T
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return undefined
    throw error
  }
}
