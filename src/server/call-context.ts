// The shared context as one call sees it: what is under way ends with the call, and is told to its client.
import type { OperationContext } from "../operations/context.ts"
import type { ToolCall } from "./call-tool.ts"

type Own = Pick<OperationContext, "signal" | "onProgress">

/** Everything but the signal and the progress is the shared context's, and stays there. */
export function callContext(context: OperationContext, { signal, progress }: ToolCall): OperationContext {
  const onProgress: Own["onProgress"] = progress && ((update) => progress(update.progress, update.message ?? ""))
  const own: Own = { signal, onProgress }
  return new Proxy(context, {
    get(target, name) {
      if (name === "signal" || name === "onProgress") return own[name]
      const value: unknown = Reflect.get(target, name, target)
      // A context remembers what it has loaded: its methods must not remember it here.
      return typeof value === "function" ? value.bind(target) : value
    },
  })
}
