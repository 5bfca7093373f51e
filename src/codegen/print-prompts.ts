// The prompts of a server → one file: for each its arguments and one function.
import type { Prompt } from "../catalog.ts"
import { memberName, quote } from "./escape.ts"
import type { ExportName } from "./names.ts"
import { printDocs } from "./print-types.ts"
import { header } from "./print-wrapper.ts"

/** A file of functions, and what the server's index exports from it, a statement each. */
export interface PrintedFile {
  text: string
  exports: string[][]
}

/** `<server>/prompts.ts`; undefined when there are none. */
export function printPrompts(
  server: string,
  prompts: readonly Prompt[],
  names: ReadonlyMap<string, ExportName>,
): PrintedFile | undefined {
  if (prompts.length === 0) return undefined
  // No prompt's function can be called `get`: all end in Prompt, or in a hash.
  const imports = `import { getPrompt as get, type ListOptions, type PromptResult } from "../_runtime.ts"\n`
  const printed = prompts.map((prompt) => printPrompt(server, prompt, names.get(prompt.name) as ExportName))
  return {
    text: [header + imports, ...printed.map(({ text }) => text)].join("\n"),
    exports: printed.map((each) => each.exports),
  }
}

function printPrompt(server: string, prompt: Prompt, name: ExportName): { text: string; exports: string[] } {
  const args = argumentsOf(prompt)
  const type = `${name.type}Params`
  const params = args.length === 0 ? "" : `params${args.some(({ required }) => required) ? "" : "?"}: ${type}, `
  const docs = printDocs({ description: prompt.description || prompt.title || "", facts: [] }, "")
  const call = [server, prompt.name].map(quote).concat(args.length === 0 ? "{}" : "params", "options")
  const [only = "", ...more] = args.map(printArgument)
  const isShort = more.length === 0 && only.indexOf("\n") === only.length - 1
  const members = isShort ? ` ${only.trim()} ` : `\n${[only, ...more].join("")}`
  const definition = `export type ${type} = {${members}}\n\n`
  return {
    text:
      (args.length === 0 ? "" : definition) +
      `${docs}export async function ${name.export}(${params}options?: ListOptions): Promise<PromptResult> {\n` +
      `  return get(${call.join(", ")})\n}\n`,
    exports: [name.export, ...(args.length === 0 ? [] : [`type ${type}`])],
  }
}

type Argument = NonNullable<Prompt["arguments"]>[number]

function printArgument({ name, description = "", required }: Argument): string {
  return `${printDocs({ description, facts: [] }, "  ")}  ${memberName(name)}${required ? "" : "?"}: string\n`
}

/** Each once: a type cannot have a member twice. */
function argumentsOf({ arguments: args = [] }: Prompt): Argument[] {
  const first = new Map<string, Argument>()
  for (const argument of args) if (!first.has(argument.name)) first.set(argument.name, argument)
  return [...first.values()]
}
