// The script's stdin in a container, and whether anybody waits for it. Ours outside is not to be read before:
// what a script does not want belongs to whoever reads next, as in `while read`. The kernel tells, whatever
// the script reads with: who is blocked in a read, and who has asked to be told when there is something.
import { ptr } from "bun:ffi"
import { closeSync, readdirSync, readFileSync, readlinkSync, statSync, write } from "node:fs"
import { openLibc } from "./box-lock.ts"

/** A pipe to a process. Not what `Bun.spawn` makes: that is a socket, which nobody can open as /dev/stdin. */
export class InputPipe {
  /** What the process is given. */
  readonly reader: number
  readonly #writer: number
  #last: Promise<void> = Promise.resolve()

  constructor() {
    const { reader, writer } = makePipe()
    this.reader = reader
    this.#writer = writer
  }

  /** The process has it: only its end counts from now on. */
  handOver(): void {
    closeSync(this.reader)
  }

  /** Resolves when the process has taken it, or does not want it. */
  write(bytes: Uint8Array): Promise<void> {
    this.#last = this.#last.then(() => writeAll(this.#writer, bytes))
    return this.#last
  }

  end(): void {
    void this.#last.then(() => closeSync(this.#writer))
  }
}

/** Neither end is there for a program that is started, unless it is given to it. */
export function makePipe(): { reader: number; writer: number } {
  const ends = new Int32Array(2)
  const [pipe2, closedOnExec] = [process.arch === "arm64" ? 59n : 293n, 0o2000000n]
  if (openLibc().syscall(pipe2, BigInt(ptr(ends)), closedOnExec, null) !== 0n) throw new Error("there is no pipe left")
  return { reader: ends[0] ?? 0, writer: ends[1] ?? 0 }
}

async function writeAll(file: number, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    // Waits in a thread of its own. Who has closed the other end wants no more: the rest is dropped.
    at += await new Promise<number>((resolve) =>
      write(file, bytes, at, bytes.length - at, null, (error, taken) => resolve(error === null ? taken : bytes.length)),
    )
  }
}

const [firstLookMs, lastLookMs] = [5, 100]

// read, readv, preadv2, recvfrom, recvmsg, splice: the first argument is what is read from.
const reads = process.arch === "arm64" ? [63, 65, 286, 207, 212, 76] : [0, 19, 327, 45, 47, 275]
// poll, ppoll, select, pselect: what for cannot be seen, so it may be this.
const polls = process.arch === "arm64" ? [73, 72] : [7, 271, 23, 270]

/** Resolves when somebody wants what comes on a process' stdin, or when that process has ended. */
export async function untilInputIsWanted(pid: number, hasEnded: () => boolean): Promise<void> {
  const stdin = inputOf(pid)
  for (let waitMs = firstLookMs; stdin !== undefined && !hasEnded(); waitMs = Math.min(waitMs * 1.5, lastLookMs)) {
    await Bun.sleep(waitMs)
    if (others().some((other) => isWaiting(other, stdin))) return
  }
}

interface Input {
  /** As a link to it reads. */
  name: string
  inode: number
}

/** Undefined when the kernel does not show it: then input is taken to be wanted. */
function inputOf(pid: number): Input | undefined {
  try {
    const link = `/proc/${pid}/fd/0`
    readFileSync(`/proc/${pid}/syscall`)
    return { name: readlinkSync(link), inode: statSync(link).ino }
  } catch {
    return undefined
  }
}

function others(): string[] {
  return readdirSync("/proc").filter((name) => /^\d+$/.test(name) && name !== String(process.pid))
}

function isWaiting(pid: string, stdin: Input): boolean {
  try {
    return holds(pid, stdin) && (isWatching(pid, stdin) || isBlocked(pid, stdin))
  } catch {
    return false // it has ended
  }
}

function holds(pid: string, { name }: Input): boolean {
  return readdirSync(`/proc/${pid}/fd`).some((file) => readlinkSync(`/proc/${pid}/fd/${file}`) === name)
}

/** Some `epoll` of the process includes it. */
function isWatching(pid: string, { inode }: Input): boolean {
  const line = new RegExp(`^tfd:.* ino:${inode.toString(16)} `, "m")
  return readdirSync(`/proc/${pid}/fdinfo`).some((name) =>
    line.test(readFileSync(`/proc/${pid}/fdinfo/${name}`, "utf8")),
  )
}

/** Some thread of the process is in the middle of reading it. */
function isBlocked(pid: string, { name }: Input): boolean {
  return readdirSync(`/proc/${pid}/task`).some((thread) => {
    const [call, first] = readFileSync(`/proc/${pid}/task/${thread}/syscall`, "utf8").split(" ").map(Number)
    if (call === undefined || first === undefined) return false
    return polls.includes(call) || (reads.includes(call) && readlinkSync(`/proc/${pid}/fd/${first}`) === name)
  })
}
