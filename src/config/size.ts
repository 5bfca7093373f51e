/** Bytes of a size that has been validated, such as "512m". */
export function bytesOf(size: string): number {
  const factor = { k: 1 << 10, m: 1 << 20, g: 1 << 30 }[/[kmg]/i.exec(size)?.[0].toLowerCase() ?? ""] ?? 1
  return Number.parseInt(size, 10) * factor
}
