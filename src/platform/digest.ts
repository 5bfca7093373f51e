// What tells one text from another. Bun's own hash where it exists: node:crypto takes milliseconds to load.

/** A hash in hexadecimal digits. */
export function digestOf(text: string, algorithm: "sha256" | "sha512" = "sha256"): string {
  if (typeof Bun !== "undefined") return new Bun.CryptoHasher(algorithm).update(text).digest("hex")
  return process.getBuiltinModule("node:crypto").createHash(algorithm).update(text).digest("hex")
}
