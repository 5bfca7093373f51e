// Gives memory back to the system after a busy time. A runtime that has no way for it does it by itself, later.

/** Collects garbage now. Takes some milliseconds, so for moments when nobody waits. */
export function releaseMemory(): void {
  if (typeof Bun === "undefined") return
  Bun.gc(true)
  Bun.shrink()
}
