const comments = /\/\*[\s\S]*?\*\/|(?<=^|[\s;{}])\/\/.*$/gm
const guard = /\bimport\s*\.\s*meta\s*\.\s*main\b|\brequire\s*\.\s*main\b/

/** Whether a script calls its own function when it is the one that runs: then nobody else may call it. */
export async function startsItself(file: string, code?: string): Promise<boolean> {
  return guard.test((code ?? (await textOf(file))).replace(comments, ""))
}

async function textOf(file: string): Promise<string> {
  if (typeof Bun !== "undefined") return await Bun.file(file).text()
  const { readFile } = await import("node:fs/promises")
  return await readFile(file, "utf8")
}
