// Removes what the tests of the sandbox leave for each other: the program that they build, their cache,
// and the images that were made from it. scripts/test runs it at the end.
import { readdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { sharedFolder } from "./shared.ts"

const notes = join(sharedFolder(), "cache/sandbox")
for (const name of namesIn(notes).filter((each) => each.endsWith(".json"))) {
  const { path, image } = JSON.parse(readFileSync(join(notes, name), "utf8"))
  if (typeof image === "string") Bun.spawnSync([path, "rmi", image], { stdout: "ignore", stderr: "ignore" })
}
rmSync(sharedFolder(), { recursive: true, force: true })

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return [] // nothing was tested
  }
}
