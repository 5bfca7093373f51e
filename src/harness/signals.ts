// What the end of a process by a signal means, in the way shells do it.

const numbers: Record<string, number> = {
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

/** 128 and the signal's number. */
export function exitCodeOfSignal(signal: string): number {
  return 128 + (numbers[signal] ?? 0)
}
