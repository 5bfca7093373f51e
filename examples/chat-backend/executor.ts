// Code in, four fields out: the contract that chat back ends have with whatever runs code for them.
import type { McpExec, ScriptOutput } from "mcp-exec/library"

export interface ExecutionResult {
  success: boolean
  /** What the code printed. */
  output: string
  error: string | null
  execution_time_ms: number
}

export interface Execution {
  signal?: AbortSignal | undefined
  onOutput?: ((output: ScriptOutput) => void) | undefined
}

export type Executor = (code: string, execution?: Execution) => Promise<ExecutionResult>

export interface ExecutorOptions {
  timeoutMs?: number
  /** What is longer is cut in the middle: every character costs the model. */
  maxOutputLength?: number
  sandbox?: boolean
}

/** Runs code with an instance of mcp-exec. Whatever goes wrong is a result too. */
export function createExecutor(mcp: McpExec, options: ExecutorOptions = {}): Executor {
  const { timeoutMs = 30_000, maxOutputLength = 20_000, sandbox } = options
  return async (code, { signal, onOutput } = {}) => {
    const startedAt = performance.now()
    try {
      const result = await mcp.exec({ code, timeoutMs, sandbox, signal, onOutput })
      return {
        success: result.ok,
        output: shorten(result.stdout, maxOutputLength),
        error: result.ok ? null : describe(result.error, shorten(result.stderr, maxOutputLength)),
        execution_time_ms: Math.round(result.durationMs),
      }
    } catch (error) {
      // The script was not started: no sandbox, a wrong configuration.
      const { message, hint } = error as { message: string; hint?: string }
      return {
        success: false,
        output: "",
        error: hint === undefined ? message : `${message}\nhint: ${hint}`,
        execution_time_ms: Math.round(performance.now() - startedAt),
      }
    }
  }
}

/** A script that failed has said on stderr why and where; one that was stopped could not. */
function describe({ code, message, hint }: { code: string; message: string; hint?: string }, stderr: string): string {
  if (code !== "E_SCRIPT_TIMEOUT" && code !== "E_TOOL_CANCELLED" && stderr !== "") return stderr.trimEnd()
  return hint === undefined ? `${code}: ${message}` : `${code}: ${message}\nhint: ${hint}`
}

function shorten(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const half = Math.floor(maxLength / 2)
  return `${text.slice(0, half)}\n… ${text.length - 2 * half} characters left out …\n${text.slice(-half)}`
}
