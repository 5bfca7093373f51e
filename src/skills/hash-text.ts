// SHA-256. Bun's own where it exists: loading node:crypto costs more than a skill's start can spare.

/** The hash of a text, in hexadecimal digits. */
export function hashText(text: string | Uint8Array): string {
  if (typeof Bun !== "undefined") return new Bun.CryptoHasher("sha256").update(text).digest("hex")
  return process.getBuiltinModule("node:crypto").createHash("sha256").update(text).digest("hex")
}
