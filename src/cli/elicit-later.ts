import type { Elicit } from "../operations/context.ts"
import type { CliIo } from "./io.ts"

/** Questions of servers, put one after the other; what asks them is loaded with the first. */
export function elicitOnTerminal(io: CliIo): Elicit {
  let ask: Promise<Elicit | undefined> | undefined
  return async (request, signal) => {
    ask ??= import("./elicit.ts").then(({ createElicit }) => createElicit(io))
    return (await (await ask)?.(request, signal)) ?? { action: "decline" }
  }
}
