// Words that say how something is asked, not what for. English grammar and courtesy only: a verb or a noun
// that a tool could be about does not belong here.
const grammar = `a about across after all also an and any anything are around as at be because been before being
  between both but by can could did do does doing during each either else every everything few for from had has have
  having he her here hers him his how i if in into is it its itself just m many may me might more most much must my no
  nor not now of off on once one only onto or other our ours out over own per s same shall she should since so some
  something such t than that the their theirs them then there these they thing things this those through thus to too
  under until up upon us very via was we well were what when where whether which while who whom whose why will with
  within without would yes yet you your yours re ve ll d`
const courtesy = `additionally available based curious detailed finally following give given going good great help hello
  hi interested know let like looking need please related relevant respective respectively show specific specified
  tell thank thanks trying use using various want wondering`

/** Whether a word, not stemmed, tells nothing about which tool is meant. */
export function isStopWord(word: string): boolean {
  return stopWords.has(word)
}

const stopWords: ReadonlySet<string> = new Set(`${grammar} ${courtesy}`.split(/\s+/))
