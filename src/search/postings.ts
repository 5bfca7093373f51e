// Which tools have a term, as text that JSON.parse copies without looking into it. Per tool: its distance from the
// one before in digits of five bits, the sixth bit saying that more follow; then its weight as one digit.
import { saturation } from "./weights.ts"

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
const goesOn = 32
// A weight is kept as what it does to a score after saturation, which is between 0 and 1.
const digitOf = new Uint8Array(128)
const weightOf = new Float64Array(digits.length)
for (let digit = 0; digit < digits.length; digit++) {
  digitOf[digits.charCodeAt(digit)] = digit
  weightOf[digit] = (saturation * (digit + 0.5)) / (digits.length - digit - 0.5)
}

/** Packs tools and their weights, which take turns; tools in ascending order. */
export function packPostings(postings: readonly number[]): string {
  let packed = ""
  let before = 0
  for (let place = 0; place < postings.length; place += 2) {
    const tool = postings[place] as number
    const weight = postings[place + 1] as number
    let distance = tool - before
    before = tool
    for (; distance >= goesOn; distance >>>= 5) packed += digits[(distance & 31) | goesOn]
    packed += `${digits[distance]}${digits[digitFor(weight)]}`
  }
  return packed
}

/** Writes the weights of tools to `weights`, from `first` on, and adds the tools' places there to `having`. */
export function unpackPostings(packed: string, first: number, weights: Float64Array, having: number[]): void {
  let tool = first
  let shift = 0
  for (let place = 0; place < packed.length; place++) {
    const digit = digitOf[packed.charCodeAt(place) & 127] as number
    tool += (digit & 31) << shift
    shift += 5
    if (digit >= goesOn) continue
    shift = 0
    place++
    // Only a damaged file has numbers that no tool has.
    if (tool >= weights.length) return
    weights[tool] = weightOf[digitOf[packed.charCodeAt(place) & 127] as number] as number
    having.push(tool)
  }
}

function digitFor(weight: number): number {
  return Math.min(digits.length - 1, Math.floor((digits.length * weight) / (weight + saturation)))
}
