// Where one run finds the broker: a socket in a private directory and a token that works once.
// On the path of every script, so it loads nothing.

export interface BrokerEndpoint {
  address: string
  token: string
  /** The script is in a container, where it is another user. */
  sandbox?: boolean
}

/** Names an endpoint in a directory that only this user can enter. Nothing listens there yet. */
export function createEndpoint(directory: string): BrokerEndpoint {
  const random = crypto.randomUUID()
  const name = `${process.pid}.${random.slice(0, 8)}`
  const address = process.platform === "win32" ? `\\\\.\\pipe\\mcp-exec-${name}` : `${directory}/${name}`
  return { address, token: random.slice(9) }
}
