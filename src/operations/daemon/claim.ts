// Taking a daemon's address. Whether a socket is in use is found out by connecting to it, never by its
// being there: a killed daemon leaves one behind. At no moment is the address without a listener that
// had one, and of two that want it one gets it.
import { linkSync, lstatSync, readdirSync, renameSync, rmSync } from "node:fs"
import { daemonPrefix, isSuccessor } from "../../broker/daemon-address.ts"
import { orderDaemon } from "../../broker/daemon-client.ts"
import { makePrivate } from "../../platform/private-directory.ts"
import { type Listener, listen, type Socket, type SocketHandlers } from "../../platform/socket.ts"

export interface Claim {
  /** False when the address has been removed, or somebody else has taken it. */
  isHeld(): boolean
  /** Nobody finds this daemon any more; who is connected stays. */
  giveUp(): void
  close(): void
}

/** Listens at an address; undefined when a daemon answers there already. */
export async function claimAddress(
  address: string,
  accept: (socket: Socket) => SocketHandlers,
): Promise<Claim | undefined> {
  const directory = address.slice(0, address.lastIndexOf("/"))
  makePrivate(directory)
  // Named like all that belongs to a process, so that it is cleared away if we are killed right now.
  const draft = `${directory}/${process.pid}.d`
  rmSync(draft, { force: true })
  const listener = await listen(draft, accept)
  const own = lstatSync(draft).ino
  if (!(await takeName(draft, address))) {
    listener.close()
    rmSync(draft, { force: true })
    return undefined
  }
  const isHeld = () => lstatSync(address, { throwIfNoEntry: false })?.ino === own
  const giveUp = () => {
    if (isHeld()) rmSync(address, { force: true })
  }
  return { isHeld, giveUp, close: () => closeAll(listener, giveUp) }
}

/** Asks daemons of other states of the file, or of other programs, to end when their runs are over. */
export async function retireOthers(address: string, file: string): Promise<void> {
  const all = await daemonsOf(address.slice(0, address.lastIndexOf("/")), file)
  await Promise.all(all.filter((path) => isSuccessor(address, path)).map(retire))
}

/** The sockets of all daemons that are or were for a file. */
export async function daemonsOf(directory: string, file: string): Promise<string[]> {
  const prefix = await daemonPrefix(file)
  return readdirSync(directory)
    .filter((name) => name.startsWith(prefix) && !name.includes("."))
    .map((name) => `${directory}/${name}`)
}

async function retire(address: string): Promise<void> {
  const found = lstatSync(address, { throwIfNoEntry: false })?.ino
  if ((await orderDaemon(address, "retire")) !== undefined) return
  removeDead(address, found)
}

/** Removes a socket that nobody listens at, unless another has taken its place meanwhile. */
export function removeDead(address: string, inode: number | undefined): void {
  if (inode !== undefined && lstatSync(address, { throwIfNoEntry: false })?.ino === inode)
    rmSync(address, { force: true })
}

async function takeName(draft: string, address: string): Promise<boolean> {
  try {
    linkSync(draft, address)
    rmSync(draft, { force: true })
    return true
  } catch (error) {
    const isTaken = (error as NodeJS.ErrnoException).code === "EEXIST"
    if (isTaken && (await orderDaemon(address, "status")) !== undefined) return false
    // Left behind by one that was killed, or a file system without links.
    renameSync(draft, address)
    return true
  }
}

function closeAll(listener: Listener, giveUp: () => void): void {
  giveUp()
  listener.close()
}
