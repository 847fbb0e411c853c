import type { Board } from '../board/board.ts'
import type { Task } from '../board/task.ts'
import { type Deferred, withinTime } from '../deferred.ts'
import { messageOf } from '../errors.ts'
import type { DayOfWork, FeatureMemory, FeatureTotals } from '../feature-memory/feature-memory.ts'
import { OUTCOMES, type Outcome } from '../feature-memory/record.ts'

/** How many of a feature's latest outcomes are told at a glance. */
const LATEST = 40
/** Days of activity that are told of. */
const DAYS = 120

/** A feature in one line. */
export interface FeatureGlance {
  name: string
  displayName?: string
  onBoard: boolean
  tasks: { done: number; open: number }
  totals: FeatureTotals
  /** Of those that came to an end of their own; undefined when none did. */
  successRate?: number
  /** The latest, the oldest of them first. */
  outcomes: Outcome[]
  /** Its journal is being read: its totals are not known yet. */
  counting?: true
  /** Why its journal cannot be read. */
  trouble?: string
}

interface GlanceParts {
  featureMemory: FeatureMemory
  board: Deferred<Board>
}

interface GlanceReport {
  /** The most recently active first. */
  features: FeatureGlance[]
  /** What all of them did on each day, the oldest first. */
  days: DayOfWork[]
  boardTrouble?: string
}

/** Every feature that has a journal or stands on the board. Journals are read one after the other, and only what is new in them. */
export class FeatureGlances {
  readonly #parts: GlanceParts
  #journals = new Map<string, JournalGlance>()
  #reading: Promise<void> | undefined

  constructor(parts: GlanceParts) {
    this.#parts = parts
  }

  /** As of now, or what is known after `patienceMs`: reading goes on, and those that are not read yet are `counting`. */
  async look(patienceMs?: number): Promise<GlanceReport> {
    const board = await readBoard(this.#parts.board)
    const names = [
      ...new Set([
        ...(await this.#parts.featureMemory.features()),
        ...board.features.keys(),
        ...board.tasks.keys(),
      ]),
    ]
    this.#reading ??= this.#read(names).finally(() => {
      this.#reading = undefined
    })
    await (patienceMs === undefined ? this.#reading : withinTime(this.#reading, patienceMs))
    const days = new Map<string, DayOfWork>()
    const features = names.map((name): FeatureGlance => {
      const known = this.#journals.get(name)
      for (const day of known?.days ?? []) days.set(day.day, together(days.get(day.day), day))
      const displayName = board.features.get(name)
      return {
        name,
        ...(displayName && { displayName }),
        onBoard: board.features.has(name),
        tasks: countTasks(board.tasks.get(name) ?? []),
        ...(known?.glance ?? { totals: NOTHING, outcomes: [], counting: true }),
      }
    })
    return {
      features: features.sort(
        (a, b) => compare(b.totals.last ?? '', a.totals.last ?? '') || compare(a.name, b.name),
      ),
      days: [...days.values()].sort((a, b) => compare(a.day, b.day)).slice(-DAYS),
      ...(board.trouble !== undefined && { boardTrouble: board.trouble }),
    }
  }

  async #read(names: readonly string[]): Promise<void> {
    for (const gone of [...this.#journals.keys()].filter((name) => !names.includes(name)))
      this.#journals.delete(gone)
    for (const name of names) this.#journals.set(name, await glanceAt(this.#parts.featureMemory, name))
  }
}

/** What a feature's journal alone tells. */
interface JournalGlance {
  glance: Pick<FeatureGlance, 'totals' | 'successRate' | 'outcomes' | 'trouble'>
  days: DayOfWork[]
}

interface KnownBoard {
  /** Names with the names for people, where they have one. */
  features: Map<string, string | undefined>
  tasks: Map<string, Task[]>
  trouble?: string
}

/** A board that cannot be read hides no journal. */
async function readBoard(board: Deferred<Board>): Promise<KnownBoard> {
  try {
    const features = new Map((await board.features()).map(({ name, displayName }) => [name, displayName]))
    return { features, tasks: Map.groupBy(await board.tasks(), ({ feature }) => feature) }
  } catch (error) {
    return { features: new Map(), tasks: new Map(), trouble: messageOf(error) }
  }
}

async function glanceAt(featureMemory: FeatureMemory, name: string): Promise<JournalGlance> {
  try {
    const timeline = await featureMemory.timeline(name)
    const totals = timeline.totals()
    const successRate = rateOf(totals)
    const outcomes = timeline
      .trend({ last: LATEST, points: LATEST })
      .flatMap(({ outcomes: counts }) => OUTCOMES.find((outcome) => counts[outcome] > 0) ?? [])
    return {
      glance: { totals, ...(successRate !== undefined && { successRate }), outcomes },
      days: timeline.days(DAYS),
    }
  } catch (error) {
    return { glance: { totals: NOTHING, outcomes: [], trouble: messageOf(error) }, days: [] }
  }
}

const NO_OUTCOMES = { success: 0, failure: 0, partial: 0, timeout: 0, rate_limited: 0 }
const NOTHING: FeatureTotals = {
  iterations: 0,
  outcomes: NO_OUTCOMES,
  kinds: { task: 0, review: 0, session: 0 },
  costUsd: 0,
  tokens: 0,
  durationMs: 0,
  withoutCost: 0,
  draws: { drawn: 0, without: 0 },
  damagedLines: 0,
}

/** What the service has stopped says nothing of the work. */
export function rateOf({ outcomes }: Pick<FeatureTotals, 'outcomes'>): number | undefined {
  const { success, failure, partial, timeout } = outcomes
  const ended = success + failure + partial + timeout
  return ended === 0 ? undefined : success / ended
}

function together(one: DayOfWork | undefined, other: DayOfWork): DayOfWork {
  if (!one) return other
  const outcomes = { ...one.outcomes }
  for (const outcome of OUTCOMES) outcomes[outcome] += other.outcomes[outcome]
  return {
    day: one.day,
    iterations: one.iterations + other.iterations,
    outcomes,
    costUsd: one.costUsd + other.costUsd,
    tokens: one.tokens + other.tokens,
    durationMs: one.durationMs + other.durationMs,
  }
}

function countTasks(tasks: readonly Task[]): { done: number; open: number } {
  const count = (...states: readonly Task['status'][]) =>
    tasks.filter(({ status }) => states.includes(status)).length
  return { done: count('done'), open: count('pending', 'in_progress', 'blocked') }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
