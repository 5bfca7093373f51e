import type { CliIo } from "./io.ts"

/** Writes a result, past the streams of node: which take longer to load than a short command. */
export async function writeOut(text: string, io: CliIo): Promise<void> {
  // To write nothing, Bun would empty the file that stdout may be.
  if (text === "") return
  if (typeof Bun === "undefined") io.stdout(text)
  // A reader that has seen enough (`| head`) is no error of ours.
  else await Bun.write(Bun.stdout, text).catch(() => {})
}
