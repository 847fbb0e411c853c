import type { CheckKind, ErrorType } from '../record.ts'

/**
 * `open`: seen in the latest run that could have shown it. `solved`: the check that reported it ran again and no longer
 * does. `came_back`: seen again after it was solved. `not_seen_since`: not seen for a while, and nothing proves why.
 */
export type ErrorLife = 'open' | 'solved' | 'came_back' | 'not_seen_since'

/** One run in which the error was met. */
export interface Sighting {
  iteration: number
  taskId: number
  taskTitle: string
  timestamp: string
}

/** A run after which the check that had reported the error no longer did. */
export interface Solution {
  iteration: number
  taskId: number
  taskTitle: string
  timestamp: string
  /** The check that ran again without reporting it: the evidence. */
  check: string
  /** Files that run created, modified or deleted. */
  files: string[]
  summary: string
  decisions: string[]
  /** The iteration in which the error was back all the same. */
  cameBackIn?: number
}

/** The life of one error of a feature, told by its journal alone. */
export interface LedgerEntry {
  /** Short and stable, to name it to people and tools. */
  id: string
  signature: string
  /** As last reported. */
  message: string
  type?: ErrorType | undefined
  filePath?: string | undefined
  line?: number | undefined
  life: ErrorLife
  /** Oldest first; bounded, the first one always among them. */
  sightings: Sighting[]
  /** In how many iterations, also those no longer listed. */
  times: number
  /** The check that last reported it; absent when none did, so that nothing can prove it solved. */
  check?: { command: string; kind: CheckKind } | undefined
  /** Oldest first. The last one holds unless it has `cameBackIn`. */
  solutions: Solution[]
}
