// The script's end of a start ahead: it waits until somebody listens where its broker should be, which is the sign that it
// may run.
import { mayExist } from "../platform/may-exist.ts"

/** False when the process that started this one is gone: then nobody will listen. */
export async function whenServed(address: string, parent: number): Promise<boolean> {
  while (!mayExist(address)) {
    if (process.ppid !== parent) return false
    await Bun.sleep(1)
  }
  return true
}
