import type { Journal } from '../journal.ts'
import { type IterationRecord, iterationId, type Outcome, type RecordKind } from '../record.ts'
import { type FileMap, fileMapOf } from './file-map.ts'
import type { Outline, OutlinedIteration } from './outline.ts'
import {
  type DayOfWork,
  daysOf,
  type FeatureTotals,
  type TaskOfWork,
  type TrendPoint,
  tasksOf,
  totalsOf,
  trendOf,
} from './trend.ts'

export interface TimelineQuery {
  /** `next` of the page before: what is older than that. */
  before?: number | undefined
  limit?: number | undefined
  outcome?: readonly Outcome[] | undefined
  kind?: readonly RecordKind[] | undefined
  taskId?: number | undefined
  /** A project-relative path that they touched. */
  file?: string | undefined
}

export interface TimelinePage {
  /** The newest first. */
  iterations: NamedIteration[]
  /** How many there are in all that fit. */
  matching: number
  /** For the page after this one; absent on the last. */
  next?: number
}

/** A record with the name that is its own also where a merge brought two of the same number. */
export interface NamedIteration {
  id: string
  record: IterationRecord
}

export interface IterationInContext extends NamedIteration {
  /** Others of the same number, as after a merge. */
  twins: { id: string; taskTitle: string; timestamp: string }[]
  /** Numbers of those before and after it in the journal, and of those on its task. */
  previous?: number
  next?: number
  previousOnTask?: number
  nextOnTask?: number
}

const PAGE = 50
const TREND_POINTS = 120
const DAYS = 366

/** What a feature's journal comes to, and any part of it, without reading the whole. As of the moment it was asked for. */
export class Timeline {
  readonly #journal: Journal
  readonly #outline: Outline

  /** @internal */
  constructor(journal: Journal, outline: Outline) {
    this.#journal = journal
    this.#outline = outline
  }

  get length(): number {
    return this.#outline.iterations.length
  }

  async page(query: TimelineQuery = {}): Promise<TimelinePage> {
    const { iterations } = this.#outline
    const { before = iterations.length, limit = PAGE } = query
    const fits = this.#filter(query)
    const chosen: number[] = []
    let matching = 0
    for (let at = iterations.length - 1; at >= 0; at--) {
      if (!fits(iterations[at]!)) continue
      matching++
      // One more than asked for tells whether there is another page.
      if (at < before && chosen.length <= limit) chosen.push(at)
    }
    const shown = chosen.slice(0, limit)
    const found = await this.#read(shown.map((at) => iterations[at]!))
    return {
      iterations: found.filter((one) => one !== undefined),
      matching,
      ...(chosen.length > limit && { next: shown.at(-1)! }),
    }
  }

  /** The iteration of a number; of several, as after a merge, the one of this id, or else the latest. */
  async iteration(number: number, id?: string): Promise<IterationInContext | undefined> {
    const { iterations } = this.#outline
    const places = iterations.flatMap((one, at) => (one.number === number ? [at] : []))
    const read = await this.#read(places.map((at) => iterations[at]!))
    const found = places.flatMap((at, which) => (read[which] ? [{ at, ...read[which] }] : []))
    const chosen = id === undefined ? found.at(-1) : found.find((one) => one.id === id)
    if (!chosen) return undefined
    const { at, ...named } = chosen
    const { taskId } = iterations[at]!
    const onTask = ({ taskId: other }: OutlinedIteration) => taskId > 0 && other === taskId
    return {
      ...named,
      twins: found
        .filter((other) => other.at !== at)
        .map(({ id: other, record: { taskTitle, timestamp } }) => ({ id: other, taskTitle, timestamp })),
      ...numbered({
        previous: iterations[at - 1],
        next: iterations[at + 1],
        previousOnTask: iterations.findLast((one, place) => place < at && onTask(one)),
        nextOnTask: iterations.find((one, place) => place > at && onTask(one)),
      }),
    }
  }

  totals(): FeatureTotals {
    return totalsOf(this.#outline.iterations, this.#outline.damaged)
  }

  /** For charts: the whole journal, or its last so many iterations, in at most so many points. */
  trend({ points = TREND_POINTS, last }: { points?: number; last?: number | undefined } = {}): TrendPoint[] {
    const { iterations } = this.#outline
    return trendOf(last === undefined ? iterations : iterations.slice(-last), points)
  }

  days(most = DAYS): DayOfWork[] {
    return daysOf(this.#outline.iterations, most)
  }

  tasks(): TaskOfWork[] {
    return tasksOf(this.#outline.iterations)
  }

  fileMap(size: { most: number; last?: number | undefined }): FileMap {
    return fileMapOf(this.#outline, size)
  }

  #filter({ outcome, kind, taskId, file }: TimelineQuery): (one: OutlinedIteration) => boolean {
    const place = file === undefined ? undefined : (this.#outline.placeOf(file) ?? -1)
    return (one) =>
      (!outcome?.length || outcome.includes(one.outcome)) &&
      (!kind?.length || kind.includes(one.kind)) &&
      (taskId === undefined || one.taskId === taskId) &&
      (place === undefined || one.files.includes(place))
  }

  /** None for a line that was rewritten or damaged since it was outlined. */
  async #read(wanted: readonly OutlinedIteration[]): Promise<(NamedIteration | undefined)[]> {
    const records = await this.#journal.at(wanted.map(({ offset }) => offset))
    return records.map((record, at) =>
      record?.iterationNumber === wanted[at]!.number ? { id: iterationId(record), record } : undefined,
    )
  }
}

function numbered<Name extends string>(
  found: Record<Name, OutlinedIteration | undefined>,
): Partial<Record<Name, number>> {
  const numbers = Object.entries<OutlinedIteration | undefined>(found).flatMap(([name, one]) =>
    one ? [[name, one.number]] : [],
  )
  return Object.fromEntries(numbers)
}
