// Terms and their postings, in a form that costs little to load: texts of a few terms each, of which a query reads
// the ones that its terms must be in. All terms with the same first two letters are in the same one.

const termsPerBucket = 8
const mostBuckets = 2048

/** Puts terms and postings into buckets. Neither may have a space or an equals sign in it. */
export function fillBuckets(postings: ReadonlyMap<string, string>): string[] {
  let count = 1
  while (count < mostBuckets && count * termsPerBucket < postings.size) count *= 2
  const buckets = Array.from({ length: count }, () => "")
  for (const term of [...postings.keys()].sort()) buckets[letterSum(term) % count] += ` ${term}=${postings.get(term)}`
  return buckets
}

/** A term's postings, or nothing. */
export function findPostings(buckets: readonly string[], term: string): string {
  const bucket = bucketOf(buckets, term)
  const start = ` ${term}=`
  const place = bucket.indexOf(start)
  if (place < 0) return ""
  const end = bucket.indexOf(" ", place + 1)
  return bucket.slice(place + start.length, end < 0 ? undefined : end)
}

/** The terms with the same first two letters as a word, and maybe others. */
export function termsBeside(buckets: readonly string[], word: string): string[] {
  return termsIn(bucketOf(buckets, word)).map(([term]) => term)
}

/** All terms of a bucket, with their postings. */
export function termsIn(bucket: string): [term: string, postings: string][] {
  const entries = bucket === "" ? [] : bucket.slice(1).split(" ")
  return entries.map((entry) => {
    const equals = entry.indexOf("=")
    return [entry.slice(0, equals), entry.slice(equals + 1)]
  })
}

/** What is read from a file may be anything: it is looked at here, so that the many others need not be. */
function bucketOf(buckets: readonly unknown[], term: string): string {
  const bucket = buckets[letterSum(term) % buckets.length]
  return typeof bucket === "string" ? bucket : ""
}

function letterSum(term: string): number {
  return term.charCodeAt(0) * 7 + (term.length > 1 ? term.charCodeAt(1) * 31 : 0)
}
