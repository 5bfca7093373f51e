// Makes the image and tries the engine out now, so that the first sandboxed run need not.
import { findEngine } from "../../harness/container/engine.ts"
import type { OperationContext } from "../context.ts"
import { engineWish } from "./find.ts"

export interface SandboxBuild {
  engine: string
  image: string
  durationMs: number
}

export async function buildSandbox(context: OperationContext): Promise<SandboxBuild> {
  const startedAt = performance.now()
  const { name, image } = await findEngine({ ...(await engineWish(context)), fresh: true })
  return { engine: name, image, durationMs: Math.round(performance.now() - startedAt) }
}
