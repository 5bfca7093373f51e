// What an engine has of ours, found by our labels and our image's name.
import { existsSync, readdirSync } from "node:fs"
import { askEngine, type EngineProgram, type Environment } from "./engine-command.ts"
import { folderLabel, isAlive, nameOf, ownerLabel } from "./launch.ts"
import { imageRepository } from "./program.ts"
import { listWaiting } from "./waiting.ts"

export interface Container {
  name: string
  state: string
  /** Whoever it belonged to is gone. */
  isStale: boolean
  /** It waits for a script. */
  isWarm: boolean
}

export async function listContainers(engine: EngineProgram, env: Environment): Promise<Container[]> {
  const label = engine.name === "podman" ? `index .Labels "${folderLabel}"` : `.Label "${folderLabel}"`
  const format = `{{.Names}}|{{.State}}|{{${label}}}`
  const args = ["ps", "--all", "--filter", `label=${ownerLabel}`, "--format", format]
  const { stdout } = await askEngine(engine, args, env)
  return linesOf(stdout).map((line) => {
    const [name = "", state = "", folder = ""] = line.split("|")
    return { name, state, ...belonging(name, folder) }
  })
}

/** By its place, which changes hands: its first owner may be long gone. */
function belonging(name: string, folder: string): Pick<Container, "isStale" | "isWarm"> {
  if (!existsSync(folder)) return { isStale: true, isWarm: false }
  const isWarm = listWaiting(folder).some(({ number, isFresh }) => isFresh && nameOf(number) === name)
  const isRunning = readdirSync(folder).some((each) => {
    const [pid = "", number = ""] = each.split(".")
    return nameOf(number) === name && isAlive(Number(pid))
  })
  return { isStale: !isWarm && !isRunning, isWarm }
}

/** All versions of the image that are there. */
export async function listImages(engine: EngineProgram, env: Environment): Promise<string[]> {
  const args = ["images", "--filter", `reference=${imageRepository}`, "--format", "{{.Repository}}:{{.Tag}}"]
  return linesOf((await askEngine(engine, args, env)).stdout)
}

function linesOf(text: string): string[] {
  return text.split("\n").filter((line) => line.trim() !== "")
}
