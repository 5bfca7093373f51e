// Discovery: learns the types of results from real calls. This file says which tools may be called for
// that at all. A server's own word counts first; without it, the verbs in name and description. Whoever
// cannot be told to be harmless is not called.
import type { Tool } from "../catalog.ts"

export type Safety = "safe" | "dangerous" | "unknown"

export interface Verdict {
  safety: Safety
  /** For people: what it was judged by. */
  reason: string
}

const safeVerbs = wordSet(
  "browse calculate check compare count describe diagnose diff echo enumerate estimate evaluate examine explain " +
    "fetch filter find get geocode grep info inspect list locate lookup measure peek preview query read resolve " +
    "retrieve scan search select show status summarize tail validate verify view whoami",
)

// Also what only may change something: a wrong guess here costs a type, the other way it costs data.
const dangerousVerbs = wordSet(
  "accept acknowledge activate add allocate append apply approve archive assign attach authorize auth ban block book " +
    "buy call cancel capture change charge checkout clean clear click clone close commit complete configure confirm " +
    "connect convert copy create cut deactivate decline delete deploy destroy detach disable disconnect dismiss drag " +
    "drop duplicate edit eject emit enable encrypt end enroll erase escalate eval exec execute exit fill finish fix " +
    "flush follow force fork format forward generate grant hide import increment init initialize insert install " +
    "invalidate invite invoke join kill launch leave like link load lock login logout make manage mark merge migrate " +
    "modify move mutate mute navigate notify open order overwrite pan patch pause pay pin play poll post press " +
    "promote provision publish purchase purge push put quarantine queue reboot rebase rebuild record redeem redo " +
    "refresh refund register reject release reload remove rename reopen reorder replace reply report reset resize " +
    "resolved restart restore resume retry revert review revoke rollback rotate run save schedule scale send set " +
    "share shut shutdown sign simulate spawn split stage start stash stop store submit subscribe suspend swap swipe " +
    "switch sync tag tap terminate toggle train transfer transition trash trigger truncate type unassign unblock " +
    "undo unfollow uninstall unlink unlock unmute unpin unpublish unregister unshare unstage unsubscribe update " +
    "upgrade upload upsert use void vote wipe withdraw write",
)

// Dangerous words that are as often nouns, as in get_pull_request or list_tags: only their place tells.
const oftenNouns = wordSet(
  "auth block book call change charge click clone commit copy end exit fill fix fork format import link load lock " +
    "mark merge order patch play poll post press push queue record release reply report review run scale schedule set " +
    "share sign stage stash store sync tag tap transfer transition trigger type vote",
)

/** Says whether a tool may be called only to see what it answers. */
export function classifyTool({ name, description, annotations }: Pick<Tool, "name" | "description" | "annotations">) {
  if (annotations?.destructiveHint === true) return verdict("dangerous", "the server says that it is destructive")
  if (annotations?.readOnlyHint === true) return verdict("safe", "the server says that it only reads")
  if (annotations?.readOnlyHint === false) return verdict("dangerous", "the server says that it does not only read")
  return judgeName(wordsOf(name)) ?? judgeDescription(wordsOf(description)) ?? verdict("unknown", "no word tells")
}

function judgeName(words: readonly string[]): Verdict | undefined {
  const safeAt = words.findIndex((word) => safeVerbs.has(word))
  const isList = words.some((word) => ["and", "or", "then"].includes(word))
  const dangerous = words.find((word, index) => {
    // After a verb that reads, such a word is what is read; unless the name lists what the tool does.
    const isObject = oftenNouns.has(word) && safeAt >= 0 && safeAt < index && !isList
    return dangerousVerbs.has(word) && !isObject
  })
  if (dangerous !== undefined) return verdict("dangerous", `its name says "${dangerous}"`)
  return safeAt < 0 ? undefined : verdict("safe", `its name says "${words[safeAt]}"`)
}

function judgeDescription(words: readonly string[]): Verdict | undefined {
  const dangerous = words.find((word) => dangerousVerbs.has(base(word)) && !oftenNouns.has(base(word)))
  if (dangerous !== undefined) return verdict("dangerous", `its description says "${dangerous}"`)
  const [first = ""] = words
  return safeVerbs.has(base(first)) ? verdict("safe", `its description begins with "${first}"`) : undefined
}

function verdict(safety: Safety, reason: string): Verdict {
  return { safety, reason }
}

/** Whole words in lower case: camelCase, snake_case and kebab-case are split. */
function wordsOf(text: string): string[] {
  return text
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
}

/** "gets" and "fetches" are "get" and "fetch". */
function base(word: string): string {
  for (const ending of ["", "s", "es"]) {
    const stem = word.endsWith(ending) ? word.slice(0, word.length - ending.length) : ""
    if (safeVerbs.has(stem) || dangerousVerbs.has(stem)) return stem
  }
  return word
}

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(" "))
}
