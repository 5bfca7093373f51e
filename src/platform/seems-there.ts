// Whether the private folder for sockets is there, for those who have no time to make sure.

// Linux allows 107 bytes for a socket's path, macOS 103; our file names take 20.
export const maxDirectoryLength = 80

/**
 * A cheap look that loads nothing. Enough for folders inside the user's own, from which configurations are
 * believed to be valid, too: they were checked when they were made, and are once more by whoever answers in
 * them, while the script loads. The one in a shared /tmp is checked before it is used.
 */
export function seemsThere(directory: string): boolean {
  if (typeof Bun === "undefined" || directory.length > maxDirectoryLength) return false
  if (directory.includes("/mcp-exec-")) return false
  // The size is read synchronously; a folder has one on every file system that holds sockets. With the
  // slash, a file of that name has none.
  return Bun.file(`${directory}/`).size > 0
}
