import type { Measured } from '../../../scripts/measured/measured-page.ts'

/** What is kept in docs/performance.json. */
export interface Performance extends Measured {
  minutes: number
  processor: string
  /** Of the process that measures, before a store is opened. */
  bareMb: number
  quiet: Quiet
  /** Of documents. */
  sizes: number[]
  peers: PeerFigures[]
  notRun: { title: string; version: string; why: string }[]
  recall: RecallFigures[]
  append: AppendFigures
  starts: StartFigures[]
  upkeep: UpkeepFigures[]
  embedding: EmbeddingFigures[]
}

/** How much else the machine did. */
export interface Quiet {
  isQuiet: boolean
  /** Of the whole machine, before anything was measured. */
  load: number
  processors: number
  /** How many times its processor time a bare node takes by the clock, at the worst of all looks. */
  waited: number
  looks: number
  noisyLooks: number
}

export interface PeerFigures {
  name: string
  title: string
  /** Name and version of each package; of ours, the version. */
  versions: string[]
  searches: string
  durable: string
  how: string
  installedMb?: number
  sizes: SizeFigures[]
}

export interface SizeFigures {
  documents: number
  filled?: Filled & { diskMb: number }
  searched?: Searched
  /** Why something is absent. */
  stopped?: string
}

export interface Filled {
  seconds: number
  cpuSeconds: number
  peakMb: number
}

export interface Searched {
  /** From opening the store to its first answer, in a process that has just started. */
  openMs: number
  medianMs: number
  p95Ms: number
  cpuMs: number
  times: number
  /** Of the process that searches, with node and all. */
  peakMb: number
  /** Share of the questions for which the document that was meant is among the ten. */
  meant: number
  recall?: number
  one: InsertedOne
}

export interface InsertedOne {
  medianMs: number
  p95Ms: number
  times: number
}

export interface Recalled {
  recall: number
  times: number
}

/** Of one set of vectors: what each store finds of the ten nearest. */
export interface RecallFigures {
  set: string
  documents: number
  skipped?: string
  found: { name: string; recall?: number; stopped?: string }[]
}

export interface AppendFigures {
  /** A record that is on the disk when the call returns. */
  recordMs: number
  /** The same bytes appended to a file and flushed, with nothing around it. */
  flushMs: number
  bytes: number
  times: number
}

export interface StartFigures {
  what: string
  /** As it was typed. */
  command: string
  medianMs: number
  leastMs: number
  cpuMs: number
  residentMb?: number
}

/** Ours alone: others keep nothing that an index could be built from again. */
export interface UpkeepFigures {
  documents: number
  importPerSecond: number
  rebuildPerSecond: number
}

export interface EmbeddingFigures {
  runtime: 'onnx' | 'wasm'
  questionMs: number
  textsPerSecond: number
}
