// The state of a script in a container. What it writes there ends with the run, so the broker keeps it.
import { guest } from "./instance.ts"
import { asJson, createState, type State, stateFile } from "./state.ts"

/** Where the state of this name is: in the workspace, or with the broker. */
export function stateOf(workspace: string, name: string): State {
  return process.env.MCP_EXEC_SCRATCH === undefined ? createState(workspace, name) : brokerState(name)
}

function brokerState(name: string): State {
  const ask = async <Result>(action: string, key?: string, value?: unknown) => {
    // What is no key, or no value, is told without asking.
    if (key !== undefined) stateFile(key)
    if (key !== undefined && action === "set") asJson(key, value)
    return (await guest.askState({ action, name, ...(key !== undefined && { key, value }) })) as Result
  }
  return {
    get: <Value>(key: string) => ask<Value | undefined>("get", key),
    set: (key, value) => ask("set", key, value),
    delete: (key) => ask("delete", key),
    list: () => ask("list"),
  }
}
