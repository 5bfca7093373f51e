// A server's terms and their postings, in a form that costs nothing to load: a few dozen texts, of which a query
// reads the ones that its terms must be in. All terms with the same first two letters are in the same one.

const termsPerBucket = 8
const mostBuckets = 512

/** Puts terms and postings into buckets. Neither may have a space or an equals sign in it. */
export function fillBuckets(postings: ReadonlyMap<string, string>): string[] {
  let count = 1
  while (count < mostBuckets && count * termsPerBucket < postings.size) count *= 2
  const buckets = Array.from({ length: count }, () => "")
  for (const term of [...postings.keys()].sort()) buckets[letterSum(term) % count] += ` ${term}=${postings.get(term)}`
  return buckets
}

/** A function that finds a term's postings in a server's buckets, or nothing. One serves for all servers. */
export function bucketReader(term: string): (buckets: readonly string[]) => string {
  const sum = letterSum(term)
  const start = ` ${term}=`
  return (buckets) => {
    const bucket = buckets[sum % buckets.length] ?? ""
    const place = bucket.indexOf(start)
    if (place < 0) return ""
    const end = bucket.indexOf(" ", place + 1)
    return bucket.slice(place + start.length, end < 0 ? undefined : end)
  }
}

/** The terms with the same first two letters as a word, and maybe others. */
export function termsBeside(buckets: readonly string[], word: string): string[] {
  const bucket = buckets[letterSum(word) % buckets.length] ?? ""
  return bucket
    .slice(1)
    .split(" ")
    .map((entry) => entry.slice(0, entry.indexOf("=")))
}

function letterSum(term: string): number {
  return term.charCodeAt(0) * 7 + (term.length > 1 ? term.charCodeAt(1) * 31 : 0)
}
