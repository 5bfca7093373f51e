// Tells one sample from another without keeping it: a number made of what was asked and of how the answer is
// built. It is too small to tell what was asked, and nothing of the answer's values is in it.

const deepest = 40

/** The same for the same arguments and an answer of the same shape: eight digits. */
export function fingerprintOf(args: unknown, value: unknown): string {
  const mixed = mix(hashText(JSON.stringify(args) ?? "") ^ hashShape(value, deepest))
  return (mixed >>> 0).toString(16).padStart(8, "0")
}

/** Kinds and keys. Parts are summed up, so that their order makes no difference. */
function hashShape(value: unknown, depth: number): number {
  if (typeof value !== "object" || value === null) return hashText(value === null ? "null" : typeof value)
  if (depth === 0) return hashText("deep")
  let sum = Array.isArray(value) ? hashText("array") : hashText("object")
  if (Array.isArray(value)) for (const item of value) sum = (sum + mix(hashShape(item, depth - 1))) | 0
  else {
    for (const [key, member] of Object.entries(value)) {
      sum = (sum + mix(hashText(key) + Math.imul(hashShape(member, depth - 1), 31))) | 0
    }
  }
  return mix(sum)
}

/** FNV-1a. */
function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash
}

/** The last step of MurmurHash3: every digit depends on every other. */
function mix(number: number): number {
  let hash = number
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}
