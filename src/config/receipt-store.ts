// Writing receipts. Only after a validation, which is slow anyway, so node:fs may be loaded here.
// A cache that cannot be written is no reason to fail.
import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"

const maxReceipts = 100

/** Puts a receipt in place in one step, so that no reader sees half of it, and drops the oldest ones. */
export async function writeReceipt(path: string, content: string): Promise<void> {
  const directory = dirname(path)
  const draft = `${path}.${process.pid}.${crypto.randomUUID()}.tmp`
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    await writeFile(draft, content, { mode: 0o600, flag: "wx" })
    await rename(draft, path)
    await dropOldest(directory)
  } catch {
    // A full disk or a read-only home: the next run validates again.
    await rm(draft, { force: true }).catch(() => {})
  }
}

async function dropOldest(directory: string): Promise<void> {
  const names = await readdir(directory)
  if (names.length <= maxReceipts) return
  const receipts = await Promise.all(
    names.map(async (name) => {
      const path = join(directory, name)
      // Gone already when another process is tidying up too.
      const status = await stat(path).catch(() => undefined)
      return { path, modified: status?.mtimeMs ?? 0 }
    }),
  )
  receipts.sort((a, b) => b.modified - a.modified)
  await Promise.all(receipts.slice(maxReceipts).map(({ path }) => rm(path, { force: true })))
}
