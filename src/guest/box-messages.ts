// What the harness and the first process of a container say to each other, before, beside and after
// the script. Towards the container: lines of JSON. Back: frames, because output is bytes. The
// harness treats every frame as hostile: whatever runs in the container may have sent it.

import type { RelayMessage } from "./relay.ts"

/** Instead of a socket's address: the container's own stdin and stdout. */
export const standardStreams = "-"

export interface ScriptFile {
  path: string
  text: string
}

/** Runs one script. Nothing of it was known when the container was started. */
export interface BoxRun {
  type: "run"
  /** Put in place before the script starts. */
  files: ScriptFile[]
  script: { kind: "file"; path: string } | { kind: "code"; code: string; name: string }
  args: readonly string[]
  cwd: string
  /** The script's whole environment. */
  env: Record<string, string>
  /** Whether there is input to wait for. */
  input: boolean
  /** Evaluates the input instead of the script. */
  isSession: boolean
  /** Where the script finds the broker, when this channel carries its connections. */
  broker?: string
}

/** Looks at the container from the inside instead. */
export interface BoxInspect {
  type: "inspect"
  /** Memory to use up: whoever survives this is not limited. */
  eatBytes?: number
}

/** What is written to a pipe to wake a box whose run is too long for it. */
export const wakeWord = "!"

/** Hangs up and waits to be woken for a run by what is written to a pipe: the run itself, or the word above. */
export interface BoxWait {
  type: "wait"
  pipe: string
  /** Nobody has come by then: the container ends. */
  idleMs: number
  /** What every script gets: a process with these variables, and no other, is started for one ahead. */
  env?: Record<string, string>
}

export type BoxRequest =
  | BoxRun
  | BoxWait
  | BoxInspect
  /** Base64; answered with `input-taken`. */
  | { type: "input"; data: string }
  | { type: "input-end" }
  | { type: "signal"; name: NodeJS.Signals }
  /** Nobody reads the output any more: the script's next write is to fail. */
  | { type: "cut" }
  /** Ends everything, and reports how. */
  | { type: "end" }
  | RelayMessage

export type BoxAnswer =
  /** The first word over standard streams, where nobody sees a connection being made. */
  | { type: "ready" }
  | RelayMessage
  | { type: "exit"; code: number; outOfMemory: boolean }
  | { type: "facts"; facts: BoxFacts }
  /** Somebody waits for input: it may be sent from now on. */
  | { type: "input-wanted" }
  | { type: "input-taken" }
  | { type: "failed"; message: string }

/** What the kernel says of the container's limits; null where it does not limit. */
export interface BoxFacts {
  memoryBytes: number | null
  pids: number | null
  cpus: number | null
  /** A filter of system calls is in force. */
  seccomp: boolean
  noNewPrivileges: boolean
  capabilities: boolean
  rootIsReadOnly: boolean
  hasNetwork: boolean
}

export const frameKind = { stdout: 1, stderr: 2, answer: 3 } as const
const headerBytes = 5
/** The largest frame that is accepted. */
export const maxFrameBytes = 1 << 20

/** One frame: its kind, its length, its content. */
export function encodeFrame(kind: number, content: Uint8Array): Uint8Array {
  const frame = new Uint8Array(headerBytes + content.length)
  frame[0] = kind
  new DataView(frame.buffer).setUint32(1, content.length)
  frame.set(content, headerBytes)
  return frame
}

/** Takes a stream of frames apart. A frame that is too large ends it: `onBroken`, once. */
export function createFrameReader(onFrame: (kind: number, content: Uint8Array) => void, onBroken: () => void) {
  let pending = new Uint8Array(0)
  let broken = false
  return (chunk: Uint8Array): void => {
    if (broken) return
    const bytes = new Uint8Array(pending.length + chunk.length)
    bytes.set(pending)
    bytes.set(chunk, pending.length)
    const view = new DataView(bytes.buffer)
    let at = 0
    while (bytes.length - at >= headerBytes) {
      const length = view.getUint32(at + 1)
      if (length > maxFrameBytes) {
        broken = true
        return onBroken()
      }
      const end = at + headerBytes + length
      if (end > bytes.length) break
      onFrame(bytes[at] ?? 0, bytes.subarray(at + headerBytes, end))
      at = end
    }
    pending = bytes.slice(at)
  }
}
