// The shared context as one call sees it: what is under way ends with the call, is told to its client, and is
// known to be on its behalf.
import type { OnProgress, OperationContext } from "../operations/context.ts"

export interface CallView {
  /** Absent when whoever uses the context ends it by other means. */
  signal?: AbortSignal | undefined
  onProgress?: OnProgress | undefined
  /** Makes a request to a server, and knows for whom while it is under way. */
  during: <Result>(server: string, request: () => Promise<Result>) => Promise<Result>
}

type Manager = Awaited<ReturnType<OperationContext["manager"]>>

/** What a server may have questions about. Of the rest, its lists, it has none. */
const requests: ReadonlySet<unknown> = new Set<keyof Manager>(["callTool", "readResource", "getPrompt"])

/** Everything but what the view has is the shared context's, and stays there. */
export function callContext(context: OperationContext, view: CallView): OperationContext {
  let seen: Promise<Manager> | undefined
  const manager = () => {
    seen ??= context.manager().then((shared) => managerFor(shared, view))
    return seen
  }
  return overlay(context, { manager, signal: view.signal, onProgress: view.onProgress })
}

function managerFor(shared: Manager, { during }: CallView): Manager {
  return new Proxy(shared, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== "function") return value
      if (!requests.has(name)) return value.bind(target)
      return (server: string, ...rest: unknown[]) => during(server, () => value.call(target, server, ...rest))
    },
  })
}

function overlay(context: OperationContext, own: Partial<OperationContext>): OperationContext {
  return new Proxy(context, {
    get(target, name) {
      if (name in own) return Reflect.get(own, name)
      const value: unknown = Reflect.get(target, name, target)
      // A context remembers what it has loaded: its methods must not remember it here.
      return typeof value === "function" ? value.bind(target) : value
    },
  })
}
