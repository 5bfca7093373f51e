// Who gets which name when several want the same one. Who has a name keeps it; a newcomer gets what is
// left, with an addition that depends on the newcomer alone.
import { digestOf } from "../platform/digest.ts"

export interface Wish {
  /** Whose it is. */
  owner: string
  /** What distinguishes the owner from everybody else who may want the name. */
  identity: string
  name: string
  /** Of those who want the same name, the lowest has the best claim. */
  rank: number
}

export const maxLength = 72
const shortLength = 6

/**
 * Gives out names that differ in more than case, list by list. A held name is kept if its owner could
 * have got it here; nobody else can take it then.
 */
export function settle(
  lists: readonly (readonly [Wish[], ReadonlyMap<string, string> | undefined])[],
): Map<string, string>[] {
  const taken = new Set<string>()
  const isFree = (name: string) => !taken.has(name.toLowerCase())
  const given = lists.map(() => new Map<string, string>())
  const queue = lists.flatMap(([wishes, held], at) => wishes.toSorted(byClaim).map((wish) => ({ wish, held, at })))
  const give = (at: number, { owner }: Wish, name: string) => {
    taken.add(name.toLowerCase())
    given[at]?.set(owner, name)
  }
  for (const { wish, held, at } of queue) {
    const name = held?.get(wish.owner)
    const isTheirs = name !== undefined && (name === wish.name || name === withHash(wish.name, wish.identity))
    if (isTheirs && isFree(name) && !given[at]?.has(wish.owner)) give(at, wish, name)
  }
  for (const { wish, at } of queue) {
    if (given[at]?.has(wish.owner)) continue
    let name = wish.name
    // More than one round only for names that were made to have the same hash.
    for (let round = 0; !isFree(name); round++) {
      name = withHash(wish.name, round === 0 ? wish.identity : `${wish.identity}\0${round}`)
    }
    give(at, wish, name)
  }
  return given
}

/** A name that only its owner can have. */
export function withHash(name: string, identity: string): string {
  let kept = ""
  for (const letter of name) {
    if (kept.length + letter.length > maxLength - shortLength - 1) break
    kept += letter
  }
  return `${kept}_${hashOf(identity, shortLength)}`
}

/** A short text that stands for a longer one. */
export function hashOf(text: string, length = 16): string {
  return digestOf(text).slice(0, length)
}

function byClaim(a: Wish, b: Wish): number {
  return a.rank - b.rank || (a.identity < b.identity ? -1 : a.identity > b.identity ? 1 : 0)
}
