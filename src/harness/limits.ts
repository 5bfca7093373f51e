// What the end of a process means for us, in the way shells do it.
import type { Exit } from "../platform/spawn.ts"

const signalNumbers: Record<string, number> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGILL: 4,
  SIGTRAP: 5,
  SIGABRT: 6,
  SIGBUS: process.platform === "darwin" ? 10 : 7,
  SIGFPE: 8,
  SIGKILL: 9,
  SIGSEGV: 11,
  SIGPIPE: 13,
  SIGALRM: 14,
  SIGTERM: 15,
}

/** The script's own exit code, or 128 + the number of the signal that ended it. */
export function exitCodeOfExit({ code, signal }: Exit): number {
  if (signal === null) return code ?? 1
  return 128 + (signalNumbers[signal] ?? 0)
}
