// Removes what earlier runs and versions have left: containers whose run is over, containers that wait for
// one, images that this program does not use. It looks for our label and our name, and touches nothing else.
// Which builds are still wanted cannot be known, and need not: one whose image is gone makes it again.
import { listContainers, listImages } from "../../harness/container/containers.ts"
import { findEngine } from "../../harness/container/engine.ts"
import { askEngine } from "../../harness/container/engine-command.ts"
import { killContainer, nameOf, sweepRunPlaces } from "../../harness/container/launch.ts"
import { endWaiting, listWaiting } from "../../harness/container/waiting.ts"
import type { OperationContext } from "../context.ts"
import { engineWish } from "./find.ts"

export interface SandboxPrune {
  containers: string[]
  images: string[]
}

export async function pruneSandbox(context: OperationContext): Promise<SandboxPrune> {
  const wish = await engineWish(context)
  const engine = await findEngine(wish)
  const { env } = context
  const ended: string[] = []
  for (const waiting of listWaiting(wish.runtimeDirectory)) {
    if (await endWaiting(waiting, env)) ended.push(nameOf(waiting.number))
  }
  const stale = (await listContainers(engine, env)).filter(({ isStale }) => isStale)
  for (const { name } of stale) await killContainer(engine, name, env)
  await sweepRunPlaces(engine, wish.runtimeDirectory, env)
  const removed: string[] = []
  for (const image of await listImages(engine, env)) {
    // One that a running container uses is refused, and stays.
    if (image !== engine.image && (await askEngine(engine, ["rmi", image], env)).code === 0) removed.push(image)
  }
  return { containers: [...ended, ...stale.map(({ name }) => name)], images: removed }
}
