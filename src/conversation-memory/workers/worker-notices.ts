import { isRalphError, messageOf } from '../../errors.ts'
import type { Notices } from '../../notices.ts'
import type { Round, RoundResult } from './worker.ts'
import type { WorkerName } from './workers.ts'

/** Keys of the notices. */
const WAITING = 'workers'
const NO_SUMMARY = 'workers.no_summary'

const SUMMARIES_WAIT = 'summaries wait; exchanges are found by their own words and meaning meanwhile'
/** What goes on while a worker cannot. */
const MEANWHILE: Record<WorkerName, string> = {
  conversation: SUMMARIES_WAIT,
  exchange: SUMMARIES_WAIT,
  embedding: 'embeddings wait; what is new is found by its words meanwhile',
}

/** What the workers say, once each, to whoever is there. */
export class WorkerNotices {
  readonly #notices: Notices
  readonly #troubled = new Set<WorkerName>()

  constructor(notices: Notices) {
    this.#notices = notices
  }

  /** They all wait, whichever of them notices, until all go on again. */
  hear(name: WorkerName, error: unknown): void {
    if (error === undefined) {
      this.#troubled.delete(name)
      if (this.#troubled.size === 0) this.#notices.recovered(WAITING)
      return
    }
    this.#troubled.add(name)
    const hint = isRalphError(error) ? error.hint : undefined
    const message = `the workers wait and try again: ${messageOf(error)}`
    this.#notices.once({ key: WAITING, message, ...(hint && { hint }) })
  }

  /** Why one of them cannot go on, and what goes on without it, until it does. */
  after(name: WorkerName, { afterTrouble }: Round, { trouble, done, failed }: RoundResult): void {
    const key = `${WAITING}.${name === 'embedding' ? name : 'summaries'}`
    if (!trouble) {
      if (done.length > 0) this.#notices.recovered(key)
      return
    }
    // A service that has stumbled once may be well again before anybody has read it.
    const isSure = !trouble.retryable || afterTrouble || failed.length > 1
    // That the embedder is missing is said by whoever misses it first.
    const isNews = name === 'embedding' ? trouble.code === 'limit_reached' : isSure
    if (!isNews) return
    const message = `${MEANWHILE[name]}: ${trouble.message}`
    this.#notices.once({ key, message, hint: trouble.hint ?? 'ralph doctor' })
  }

  noSummary(summariser: string, why: string): void {
    this.#notices.once({
      key: NO_SUMMARY,
      message: `${summariser} has given no summary (${why}): sentences picked from the text stand in its place, and it is not asked again for that`,
      hint: 'If it goes on: ralph config set language_model.reasoning_effort minimal, or take another model',
    })
  }
}
