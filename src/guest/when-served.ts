// The script's end of a start ahead: it waits until somebody listens where its broker should be, which is the sign that it
// may run.

// What Bun says of a path where there is nothing.
const neverModified = 2 ** 52 - 1

/** False when the process that started this one is gone: then nobody will listen. */
export async function whenServed(address: string, parent: number): Promise<boolean> {
  while (Bun.file(address).lastModified === neverModified) {
    if (process.ppid !== parent) return false
    await Bun.sleep(1)
  }
  return true
}
