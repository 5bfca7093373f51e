// Listens where one run finds the broker. The host that answers is loaded when the script first connects.
import { type Listener, listen, type Socket, type SocketHandlers } from "../platform/socket.ts"
import type { BrokerEndpoint } from "./endpoint.ts"

/** Answers one connection; made by `createHost`. */
export interface EndpointHost {
  accept(socket: Socket): SocketHandlers
}

/** Listens at an endpoint. `loadHost` runs once, for the first connection. */
export function serveEndpoint(endpoint: BrokerEndpoint, loadHost: () => Promise<EndpointHost>): Promise<Listener> {
  let host: Promise<EndpointHost> | undefined
  const listening = listen(endpoint.address, (socket) => {
    host ??= loadHost()
    return acceptLater(host, socket)
  })
  return endpoint.sandbox ? openToAll(endpoint.address, listening) : listening
}

/** To all who can enter its folder: outside, that is this user alone. */
async function openToAll(address: string, listening: Promise<Listener>): Promise<Listener> {
  const listener = await listening
  process.getBuiltinModule("node:fs").chmodSync(address, 0o666)
  return listener
}

/** Keeps what arrives while the host is being loaded. */
function acceptLater(host: Promise<EndpointHost>, socket: Socket): SocketHandlers {
  let handlers: SocketHandlers | undefined
  let closed = false
  const early: Uint8Array[] = []
  host
    .then((ready) => {
      handlers = ready.accept(socket)
      for (const chunk of early) handlers.data(chunk)
      if (closed) handlers.closed()
    })
    .catch(() => socket.end())
  return {
    data: (chunk) => (handlers ? handlers.data(chunk) : void early.push(new Uint8Array(chunk))),
    drained: () => handlers?.drained?.(),
    closed() {
      closed = true
      handlers?.closed()
    },
  }
}
