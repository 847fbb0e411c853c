import { withinTime } from '../deferred.ts'
import { RalphError } from '../errors.ts'
import type { Notices } from '../notices.ts'

const TICK_MS = 1_000
/** Who waits for less is not told that they wait. */
const WORTH_SHOWING = 3

export interface PatienceOptions {
  milliseconds: number
  notices: Notices
  signal?: AbortSignal | undefined
}

/** Gives up on work of the embedder that cannot be stopped, too. Whoever waits is shown that it takes time. */
export async function inPatience<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  { milliseconds, notices, signal }: PatienceOptions,
): Promise<Result> {
  const late = new AbortController()
  const working = work(AbortSignal.any(signal ? [signal, late.signal] : [late.signal]))
  const waiting = { key: 'embedder', what: 'waiting for the embedder, seconds', total: milliseconds / 1_000 }
  let seconds = 0
  const tick = () => {
    if (++seconds >= WORTH_SHOWING) notices.underWay({ ...waiting, done: seconds })
  }
  const ticking = setInterval(tick, TICK_MS)
  try {
    const result = await withinTime(working, milliseconds)
    if (result !== undefined) return result
  } finally {
    clearInterval(ticking)
    if (seconds >= WORTH_SHOWING) notices.underWay({ ...waiting, done: seconds, ended: true })
  }
  const why = `the embedder did not answer within ${milliseconds / 1_000} s`
  // The service behind it is then left alone for a while, by everybody.
  late.abort(new DOMException(why, 'TimeoutError'))
  throw new RalphError('timeout', why, {
    hint: 'A service that loads its model needs longer: `ralph doctor` waits for it, and so does a search after `ralph config set embedder.patience_seconds 60`.',
  })
}
