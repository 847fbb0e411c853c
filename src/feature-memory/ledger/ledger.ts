import { posix } from 'node:path'
import type { CheckKind } from '../../shell/kinds.ts'
import type { ErrorType } from '../record.ts'

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

/** An error that a run met. */
export interface MetError {
  signature: string
  /** An earlier run had met it already. */
  again: boolean
}

/** What one iteration had to do with an error. */
export interface ErrorAround extends Pick<LedgerEntry, 'id' | 'message' | 'life' | 'filePath' | 'line'> {
  met: boolean
  /** No run before had met it. */
  first: boolean
  cameBack: boolean
  /** Its check no longer reported it here, or it was this one's work that did it. */
  solved?: { check: string; shownIn: number; byThis: boolean; cameBackIn?: number | undefined } | undefined
}

/** The errors that an iteration met, saw come back, or solved; of those met very often, perhaps not all. */
export function errorsAround(iteration: number, entries: readonly LedgerEntry[]): ErrorAround[] {
  return entries.flatMap(({ id, message, life, filePath, line, sightings, solutions }) => {
    const met = sightings.some((run) => run.iteration === iteration)
    const cameBack = solutions.some(({ cameBackIn }) => cameBackIn === iteration)
    const solution = solutions.find((one) => one.iteration === iteration || one.by?.iteration === iteration)
    if (!met && !cameBack && !solution) return []
    const solved = solution && {
      check: solution.check,
      shownIn: solution.iteration,
      byThis: solution.by?.iteration === iteration,
      cameBackIn: solution.cameBackIn,
    }
    const first = sightings[0]?.iteration === iteration
    return [{ id, message, life, filePath, line, met, first, cameBack, ...(solved && { solved }) }]
  })
}

/** Names of things rather than words: a file, a code, something quoted, something with a hump or an underscore. */
const NAME =
  /[\w@./-]{0,200}\w\.[A-Za-z]\w{0,7}\b|\b[A-Z]+\d{2,}\b|\bE[A-Z]{4,}\b|\b\w*[a-z0-9][A-Z]\w*\b|\b\w+_\w+\b|(?<=(['"`]))[\w@./-]{3,60}(?=\1)/g
/** They name a kind of thing, not a thing. */
const KINDS =
  /^(?:\w*(?:error|exception)|undefined|null|string|number|boolean|object|array|function|true|false|unknown|never|void)$/

/** The names in a text by which it can be told to speak of the same thing as another. */
function namesIn(text: string): Set<string> {
  const names = (text.match(NAME) ?? []).map((name) => lastPart(name.toLowerCase()))
  return new Set(names.filter((name) => name.length > 2 && !KINDS.test(name)))
}

/** `src/cart/total.test.ts` and `lib/total.ts` are about one thing, as far as names can tell. */
function stemOf(path: string): string {
  return posix
    .basename(path)
    .toLowerCase()
    .replace(/^test_/, '')
    .replace(/(?:[._-](?:test|spec|tests|stories|d))?\.\w+$/, '')
}

/** Stems that stand in every other folder connect nothing. */
const COMMON_STEMS = new Set('index main mod lib __init__ types utils app package readme'.split(' '))

/** Whether some work or task has to do with an error: it touches a file the error names, or speaks of it by name. */
export function isConnected(
  { message, filePath }: { message: string; filePath?: string | undefined },
  { files, text }: { files: readonly string[]; text: string },
): boolean {
  if (filePath !== undefined && files.includes(filePath)) return true
  const names = namesIn(message)
  const own = filePath === undefined ? names : new Set([...names, lastPart(filePath.toLowerCase())])
  const stems = new Set([...own].filter((name) => /\.\w+$/.test(name)).map(stemOf))
  if (files.some((file) => stems.has(stemOf(file)) && !COMMON_STEMS.has(stemOf(file)))) return true
  const spoken = namesIn(text)
  return [...own].some((name) => spoken.has(name))
}

function lastPart(path: string): string {
  return path.replace(/^.*\//, '').replace(/:\d+.*$/, '')
}
