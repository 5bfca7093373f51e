// Who a run is to the broker: said by whoever has started it and bound to its token, never by the script.
// Whatever judges a call is given this.
import { ToolError } from "../errors.ts"

export interface Caller {
  /** The script is in a container, and taken to be hostile. */
  sandbox?: boolean | undefined
  /** The only servers it may use; all when absent. */
  servers?: readonly string[] | undefined
}

export function mayUse({ servers }: Caller, server: string): boolean {
  return servers?.includes(server) ?? true
}

/** Throws E_TOOL_DENIED when this caller may not ask a server for something. */
export function checkCall(caller: Caller, server: string, tool: string): void {
  if (mayUse(caller, server)) return
  throw new ToolError("E_TOOL_DENIED", server, tool, `This run may not use the server "${server}"`, {
    hint: `Allowed with --server: ${caller.servers?.join(", ")}`,
  })
}
