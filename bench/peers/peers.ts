// Installs other programs of this kind from npm, into a folder of ours. What cannot be had is said aloud and
// left out: the benchmark must work without a network.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Contestant, rehearse } from "../measure.ts"
import { codeMode } from "./code-mode.ts"
import { executor } from "./executor.ts"
import { mcpCli } from "./mcp-cli.ts"
import { mcporter } from "./mcporter.ts"
import type { InstalledPeer, Peer, Task, WarmPeer } from "./peer.ts"

const installLimitMs = 120_000
const all: readonly Peer[] = [mcporter, mcpCli, codeMode, executor]

export interface Peers {
  installed: InstalledPeer[]
  missing: MissingPeer[]
}

export interface MissingPeer {
  name: string
  reason: string
}

/** Installs all that can be had, at once. */
export async function installPeers(directory: string): Promise<Peers> {
  const peers: Peers = { installed: [], missing: [] }
  await Promise.all(
    all.map(async (peer, at) => {
      try {
        peers.installed.push(await install(peer, join(directory, String(at))))
      } catch (error) {
        leaveOut(peers, peer.name, error)
      }
    }),
  )
  const order = (name: string) => all.findIndex((peer) => peer.name === name)
  peers.installed.sort((a, b) => order(a.peer.name) - order(b.peer.name))
  return peers
}

/** Those that can do a task, each after a rehearsal. */
export function contestantsOf(
  peers: Peers,
  cwd: string,
  make: (one: InstalledPeer) => Contestant | undefined,
): Contestant[] {
  return tryEach(peers, (one) => {
    const contestant = make(one)
    return contestant && rehearse(contestant, cwd)
  })
}

/** Those that keep a server, each with its server kept, and how to end that. */
export function startKeepers(peers: Peers, task: Task): WarmPeer[] {
  return tryEach(peers, ({ peer, folder }) => {
    const keeper = peer.warm?.(task, folder)
    if (keeper === undefined) return undefined
    const stop = () => {
      try {
        keeper.stop()
      } catch (error) {
        console.log(`  ${peer.name} did not stop: ${reasonOf(error)}`)
      }
    }
    try {
      return { contestant: rehearse(keeper.contestant, task.directory), stop }
    } catch (error) {
      stop()
      throw error
    }
  })
}

function tryEach<Result>(peers: Peers, make: (one: InstalledPeer) => Result | undefined): Result[] {
  return peers.installed.flatMap((one) => {
    try {
      const result = make(one)
      return result === undefined ? [] : [result]
    } catch (error) {
      leaveOut(peers, one.peer.name, error)
      return []
    }
  })
}

function leaveOut({ missing }: Peers, name: string, error: unknown): void {
  const reason = reasonOf(error)
  console.log(`  SKIPPED: ${name}: ${reason}`)
  missing.push({ name, reason })
}

async function install(peer: Peer, folder: string): Promise<InstalledPeer> {
  const npm = Bun.which("npm")
  if (npm === null) throw new Error("there is no npm to install it with")
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }\n')
  const flags = ["--no-audit", "--no-fund", "--ignore-scripts", "--fetch-retries=1", "--loglevel=error"]
  const child = Bun.spawn([npm, "install", ...flags, ...peer.packages], {
    cwd: folder,
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
    timeout: installLimitMs,
  })
  const complaints = await new Response(child.stderr).text()
  if ((await child.exited) !== 0) throw new Error(`npm could not install it: ${reasonIn(complaints)}`)
  return { peer, folder, versions: peer.packages.map((asked) => versionOf(folder, nameOf(asked))) }
}

/** The results are published, and say nothing of the machine's folders. Addresses stay. */
function reasonOf(error: unknown): string {
  const [first = ""] = (error instanceof Error ? error.message : String(error)).trim().split("\n")
  return first.replaceAll(/(?<![\w:/.])\/[\w./@-]+/g, "…")
}

function reasonIn(complaints: string): string {
  const lines = complaints.split("\n").map((line) => line.replace(/^npm (?:error|ERR!) ?/, ""))
  const found = lines.find((line) => /^(?:\d{3} |request to |network |notarget )/.test(line)) ?? lines[0] ?? ""
  return found.trim() === "" ? "it does not say why" : found.trim()
}

function nameOf(asked: string): string {
  const end = asked.indexOf("@", 1)
  return end < 0 ? asked : asked.slice(0, end)
}

function versionOf(folder: string, name: string): string {
  const { version } = JSON.parse(readFileSync(join(folder, "node_modules", name, "package.json"), "utf8"))
  return `${name} ${version}`
}
