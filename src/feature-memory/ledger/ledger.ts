import type { CheckKind, ErrorType } from '../record.ts'

/**
 * `open`: seen last time anything could have shown it. `solved`: the check that reported it ran again and no longer does.
 * `came_back`: seen again after it was solved. `not_seen_since`: no longer reported, and nothing proves why.
 */
export const ERROR_LIVES = ['open', 'solved', 'came_back', 'not_seen_since'] as const
export type ErrorLife = (typeof ERROR_LIVES)[number]

/** As far as anybody can tell, it is there. */
export function isOpen({ life }: Pick<LedgerEntry, 'life'>): boolean {
  return life === 'open' || life === 'came_back'
}

/** One run, as far as it is needed to name it. */
export interface LedgerRun {
  iteration: number
  /** 0 when it had no task. */
  taskId: number
  taskTitle: string
  timestamp: string
}

/** What a run did that made an error go away. */
export interface SolvingWork extends LedgerRun {
  /** Files it created, modified or deleted; bounded. */
  files: string[]
  /** What it said; empty when that tells of something else, since it was stopped or had the error before its eyes. */
  summary: string
  decisions: string[]
}

/** The run in which the check that had reported the error no longer did: that it is solved is shown, not who did it. */
export interface Solution extends LedgerRun {
  /** The command that ran again without reporting it: the evidence. */
  check: string
  /** Whose changes did it, mostly this run's own. Absent when the journal does not show it: then nobody can be named. */
  by?: SolvingWork | undefined
  /** The iteration in which the error was back all the same. */
  cameBackIn?: number | undefined
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
  /** The runs that met it, oldest first; bounded, the first one always among them. */
  sightings: LedgerRun[]
  /** In how many iterations, also those no longer listed. */
  times: number
  /** The check that last reported it; absent when none did, so that nothing can prove it solved. */
  check?: { command: string; kind: CheckKind } | undefined
  /** Oldest first; bounded. The last one holds unless it has `cameBackIn`. */
  solutions: Solution[]
}
