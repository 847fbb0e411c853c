import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { isRalphError } from '../errors.ts'
import { takeFileLock } from '../files/file-lock.ts'

const NAME_LENGTH = 24
/** Answers take seconds to minutes: nobody notices so short a pause, and trying costs next to nothing. */
const PAUSE_MS = 100
/** Who has got his turn by then has not waited. */
const UNNOTICED_MS = 500

export interface TurnOptions {
  /** Longer than this nobody waits: whoever has the turn may have been stopped with it. The service then queues us itself. */
  patienceMs: number
  signal?: AbortSignal | undefined
  /** Somebody else has the turn, for a while already. */
  onWaiting?: (() => void) | undefined
}

/**
 * One at a time among all processes of a user, for a service that works on one thing at a time: who waits here is not
 * yet under way, so none of his limits runs. The operating system frees the turn of a process that dies.
 */
export class SharedTurns {
  readonly #folder: string | undefined

  /** Without a folder everybody has his turn at once. */
  constructor(folder?: string) {
    this.#folder = folder
  }

  async take<Result>(url: string, work: () => Promise<Result>, options: TurnOptions): Promise<Result> {
    const free = await this.#wait(url, options)
    try {
      return await work()
    } finally {
      free?.()
    }
  }

  /** Undefined where there is no turn to be had: then the work is done without one. */
  async #wait(
    url: string,
    { patienceMs, signal, onWaiting }: TurnOptions,
  ): Promise<(() => void) | undefined> {
    if (this.#folder === undefined) return undefined
    const place = join(this.#folder, createHash('sha256').update(url).digest('hex').slice(0, NAME_LENGTH))
    const lock = { timeoutMs: patienceMs, signal, pauseMs: PAUSE_MS }
    const notice = setTimeout(() => onWaiting?.(), UNNOTICED_MS)
    try {
      // Who is next waits alone: otherwise one who asks again and again would leave no gap to the others.
      const step = await takeFileLock(`${place}.next`, lock)
      try {
        return await takeFileLock(place, lock)
      } finally {
        step()
      }
    } catch (error) {
      if (isRalphError(error) && error.code === 'cancelled') throw error
      return undefined
    } finally {
      clearTimeout(notice)
    }
  }
}
