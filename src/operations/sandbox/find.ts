// What the `sandbox` commands and a sandboxed run look for alike: the engine that counts.
import type { EngineWish } from "../../harness/container/engine.ts"
import { sandboxProgram } from "../../harness/container/program.ts"
import { runtimeDirectory } from "../../platform/runtime-directory.ts"
import type { OperationContext } from "../context.ts"

/** The wish that the configuration expresses. */
export async function engineWish(context: OperationContext): Promise<EngineWish> {
  const { sandbox } = await context.config()
  const { env, cacheDirectory } = context
  return {
    runtime: sandbox.runtime,
    env,
    cacheDirectory,
    runtimeDirectory: await runtimeDirectory(env, cacheDirectory),
    program: sandboxProgram(env),
    say: (text) => context.onProgress?.({ progress: 0, message: text }),
  }
}
