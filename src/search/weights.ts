// Every number that ranking depends on, chosen by hand on two public sets of questions. Around these values the
// figures hardly move; a search for better ones on half of the questions made the other half worse.

/** Per field (name, description, parameter names, parameter descriptions): weight, and how much length counts. */
export const fieldWeights = [2, 1, 0.6, 0.4] as const
export const lengthWeights = [0.6, 0.9, 0.7, 0.7] as const
/** How many terms each field usually has. A constant, because a section must not depend on other servers. */
export const typicalLengths = [3, 12, 4, 15] as const
/** A term of the server's name or description counts for all its tools. */
export const serverNameWeight = 1.5
export const serverAboutWeight = 0.5

/** BM25's k1: how soon a term's repetition stops counting. */
export const saturation = 1
/** Rare terms count a little less than BM25 says. */
export const rarityPower = 0.8
/** Tools that match all of a clause somewhat go before those that match one word of it well. */
export const coverPower = 1.7
/** How much of the score comes from the best clause, the rest from the whole query. */
export const clauseShare = 0.5
/** How much a tool gains from its server's best tools, and how many those are. */
export const serverShare = 0.35
export const serverBestTools = 3
/** What each further tool of the same server loses, so that others come up when scores are close. */
export const repeatLoss = 0.03
/** Steps after which it loses no more. */
export const mostRepeats = 10

/** In a query: what is quoted is mostly a value, as are numbers; what kind of value it is tells more. */
export const quotedWeight = 0.3
export const numberWeight = 0.2
export const valueKindWeight = 1
export const fileTypeWeight = 0.7
/** A word that only resembles the one in the query, or two that make it up. */
export const guessFactor = 0.6
