// Which texts are the words of an enum. Only strong evidence counts, because a word that was not seen yet
// would make a type wrong; and texts that are not part of a type must not be kept.
import { countDifferent, type Shape, type ToolShape } from "./shape.ts"

const fewestSamples = 3
const fewestTexts = 50
const fewestOfEach = 5
const mostWords = 6

// Texts below these keys are about somebody or something, however often they are repeated.
const aboutSomebody =
  /(?:^|[_\W]|(?<=[a-z]))(?:name|names|user|users|username|login|author|owner|assignee|reviewer|person|email|host|hostname|id|key|path|file|title|label|labels|tag|tags|city|country|company|team|repo|repository|branch|project|version|text|message|content|value)$/i

/** Decides, at the end of a run, which words are kept: those of an enum. All others are forgotten for good. */
export function settleWords(shape: ToolShape): void {
  settle(shape.root, "", countDifferent(shape))
}

function settle(shape: Shape, key: string, samples: number): void {
  if (shape.string > 0 && !isEnum(shape, key, samples)) shape.words = false
  for (const [name, member] of shape.object?.members ?? []) settle(member, name, samples)
  if (shape.object?.map) settle(shape.object.map, "", samples)
  if (shape.array) settle(shape.array.items, key, samples)
}

function isEnum({ words, string: texts }: Shape, key: string, samples: number): boolean {
  if (words === false || key === "" || aboutSomebody.test(key) || samples < fewestSamples) return false
  const isFew = words.size >= 2 && words.size <= mostWords
  return isFew && texts >= fewestTexts && [...words.values()].every((count) => count >= fewestOfEach)
}
