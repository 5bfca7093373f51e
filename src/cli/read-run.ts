// `ls`, `cat` and `search` as agents write them: words → files → text, with next to nothing loaded. Whatever
// this cannot read is left to the ordinary command, before anything has happened.
import { exitCodeFor } from "../errors.ts"
import { createContext, type OperationContext } from "../operations/context.ts"
import { searchDetails } from "../operations/search/details.ts"
import { type CliIo, processIo } from "./io.ts"
import { createOutput, type Output, type OutputIo } from "./output.ts"
import { type KnownOptions, type PlainWords, parsePlainWords, plainFolder } from "./plain-words.ts"
import { parseLimit, printFound } from "./views/found.ts"
import { printList } from "./views/list.ts"
import { printNamed } from "./views/named.ts"
import { writeOut } from "./write-out.ts"

interface Reader extends KnownOptions {
  /** What to do for these words; undefined when they are not plainly right. */
  plan(parsed: PlainWords): ((context: OperationContext, output: Output) => Promise<void>) | undefined
}

const readers: Record<ReadCommand, Reader> = {
  ls: {
    plan: ({ words }) => {
      if (words.length > 1) return undefined
      return (context, output) => printList(context, output, words[0])
    },
  },
  cat: {
    switches: ["--source"],
    plan: ({ words: [target, ...more], switches }) => {
      if (target === undefined || more.length > 0) return undefined
      return (context, output) => printNamed(context, output, { target, source: switches.has("--source") })
    },
  },
  search: {
    values: ["--detail", "--server", "--limit"],
    plan: ({ words, values }) => {
      const detail = searchDetails.find((level) => level === (values.get("--detail") ?? "description"))
      const limit = parseLimit(values.get("--limit") ?? "10")
      if (words.length === 0 || detail === undefined || limit === undefined) return undefined
      const server = values.get("--server")
      return (context, output) => printFound(context, output, { query: words.join(" "), detail, server, limit })
    },
  },
}

export type ReadCommand = "ls" | "cat" | "search"

/** Does it and returns the exit code; undefined when the words are for the ordinary command. */
export async function runRead(command: ReadCommand, argv: readonly string[]): Promise<number | undefined> {
  const reader = readers[command]
  const parsed = parsePlainWords(argv, reader)
  const perform = parsed && reader.plan(parsed)
  if (parsed === undefined || perform === undefined) return undefined
  const io = processIo()
  const cwd = plainFolder(io.cwd, parsed.globals)
  if (cwd === undefined) return undefined
  const out = new CollectedOutput(io)
  const output = createOutput(out, parsed.globals)
  let exitCode = 0
  try {
    const { env } = io
    await perform(createContext({ cwd, env, configFlag: parsed.globals.config, log: output.log }), output)
  } catch (error) {
    output.error(error)
    exitCode = exitCodeFor(error)
  }
  await writeOut(out.printed, io)
  await io.flush()
  return exitCode
}

/** Keeps what goes to stdout, to be written at once. */
class CollectedOutput implements OutputIo {
  printed = ""
  private readonly io: CliIo

  constructor(io: CliIo) {
    this.io = io
  }

  get env(): CliIo["env"] {
    return this.io.env
  }

  get isTTY(): CliIo["isTTY"] {
    return this.io.isTTY
  }

  get columns(): number | undefined {
    return this.io.columns
  }

  stdout(text: string): void {
    this.printed += text
  }

  stderr(text: string): void {
    this.io.stderr(text)
  }
}
