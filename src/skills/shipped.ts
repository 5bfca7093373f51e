// The skills that come with this program, as text: `init` puts one into a new project. The build replaces
// this file by one that carries the texts.
import { readFile } from "node:fs/promises"

/** The text of a shipped skill; undefined when there is none of that name. */
export async function shippedSkill(name: string): Promise<string | undefined> {
  try {
    return await readFile(new URL(`../../skills/${name}.ts`, import.meta.url), "utf8")
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined
    throw error
  }
}
