// Reading files that are replaced and never changed, as ours are. One that is cut short while it is read would end the
// program, so this is for no others.

/** The text of such a file; throws when there is none. Bun would start threads to read it, and node:fs take longer to load. */
export function readWhole(path: string): string {
  if (typeof Bun !== "undefined" && process.platform !== "win32") {
    try {
      return new TextDecoder().decode(Bun.mmap(path, { shared: false }))
    } catch (error) {
      if ((error as { code?: unknown }).code === "ENOENT") throw error
      // Bun maps neither an empty file nor one that may not be written.
    }
  }
  return process.getBuiltinModule("node:fs").readFileSync(path, "utf8")
}
