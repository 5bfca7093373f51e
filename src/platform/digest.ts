// What tells one text from another. Bun's own hash where it exists: node:crypto takes milliseconds to load.

/** SHA-256, in hexadecimal digits. */
export function digestOf(text: string): string {
  if (typeof Bun !== "undefined") return new Bun.CryptoHasher("sha256").update(text).digest("hex")
  return process.getBuiltinModule("node:crypto").createHash("sha256").update(text).digest("hex")
}
