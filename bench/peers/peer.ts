// What the benchmark needs of another program of this kind.
import type { Contestant } from "../measure.ts"

/** The work that all are given: a server from npm, on Node, reads a file of one word. */
export interface Task {
  /** For whatever a contestant wants to keep; also its home. */
  directory: string
  node: string
  bun: string
  /** The server's entry. */
  server: string
  workspace: string
  file: string
  /** What the file says. */
  text: string
}

export interface Peer {
  name: string
  /** What npm is asked for. */
  packages: readonly string[]
  /** One call with everything cold. */
  cold?: (task: Task, folder: string) => Contestant
  /** One call with the server kept by a process that stays. */
  warm?: (task: Task, folder: string) => WarmPeer
  /** So many calls one after the other in one script; prints the milliseconds that each took. */
  calls?: (task: Task, folder: string, calls: number) => Contestant
}

export interface WarmPeer {
  contestant: Contestant
  stop(): void
}

export interface InstalledPeer {
  peer: Peer
  /** Where its node_modules is. */
  folder: string
  /** Name and version of each package that was asked for. */
  versions: string[]
}

/** A program's own folders must not be the user's. */
export function homeOf({ directory }: Task): Record<string, string> {
  return { HOME: directory, XDG_STATE_HOME: "", XDG_CONFIG_HOME: "", XDG_RUNTIME_DIR: "", NO_COLOR: "1" }
}
