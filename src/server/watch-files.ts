// Notices when the skills or the generated servers of a project change. The folders may come, go and be
// replaced as a whole, so the project's own folder is watched too. Many changes at once are one.
import { type FSWatcher, watch } from "node:fs"
import { join } from "node:path"

const watched = ["skills", "servers"]
const settleMs = 150

/** Calls back after changes. Returns what ends that. Where nothing can be watched, nothing is told. */
export function watchFiles(directory: string, onChange: () => void): () => void {
  const watchers = new Map<string, FSWatcher>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const changed = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      // A folder that was replaced is another one now.
      for (const name of watched) attach(name)
      onChange()
    }, settleMs)
  }
  const attach = (name: string) => {
    watchers.get(name)?.close()
    watchers.delete(name)
    try {
      const watcher = watch(join(directory, name), { persistent: false }, (_, file) => {
        if (name !== "" || watched.includes(String(file))) changed()
      })
      watcher.on("error", () => watcher.close())
      watchers.set(name, watcher)
    } catch {
      // It is not there yet; the project's folder will tell when it is.
    }
  }
  for (const name of ["", ...watched]) attach(name)
  return () => {
    clearTimeout(timer)
    for (const watcher of watchers.values()) watcher.close()
    watchers.clear()
  }
}
