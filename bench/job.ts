// What a job of the benchmark is given, and what it gives back.
import type { Timing } from "./measure.ts"
import type { Peers } from "./peers/peers.ts"

export interface Workplace {
  /** An empty folder. */
  directory: string
  repository: string
  /** The compiled program. */
  program: string
  bun: string
  /** What the servers from npm run on. */
  node: string
  /** Other programs of this kind; installed by the first job that asks. */
  peers(): Promise<Peers>
  /** Where the curves of growth are drawn. */
  picture: string
  /** Adds a race to the results. */
  show(table: Table): void
}

export type Job = (workplace: Workplace) => Promise<Figure[]>

export type Figure = Measured | Skipped

export interface Measured {
  name: string
  value: string
  goal: string
  met: boolean
}

export interface Skipped {
  name: string
  goal: string
  /** Why it could not be measured. */
  skipped: string
}

/** Contestants that took turns; the first is the floor. */
export interface Table {
  title: string
  /** The heading of its column where several races stand side by side. */
  column?: string
  rows: Timing[]
}
