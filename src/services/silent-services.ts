import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isRalphError, RalphError } from '../errors.ts'
import { writeDisposableFile } from '../files/atomic-write.ts'
import { shownUrl } from '../text/shown-url.ts'

/** A service that has let somebody wait in vain is left alone so long, counted from the last time. */
export const LEFT_ALONE_MS = 30_000

/** Whether a service is there at all is asked within this time. */
export const CHECK_TIMEOUT_MS = 2_000
/** Asked on the way to something else, where a busy service must not be taken for one that hangs. */
export const PROBE_TIMEOUT_MS = 5_000

const NAME_LENGTH = 24
/** What is being written beside them is its writer's. */
const NAME = new RegExp(`^[0-9a-f]{${NAME_LENGTH}}$`)

export interface SilentServicesOptions {
  /** Shared by all processes of a user. Without one, or where it cannot be written, each process has to find out itself. */
  folder?: string | undefined
  clock?: () => number
}

/**
 * Services that accept a connection and then say nothing. The first who asks waits; whoever asks in the next half
 * minute, in this process or another, hears so at once. One that refuses the connection needs no remembering.
 */
export class SilentServices {
  readonly #folder: string | undefined
  readonly #clock: () => number
  /** What could not be written down. */
  readonly #here = new Map<string, number>()

  constructor({ folder, clock = Date.now }: SilentServicesOptions = {}) {
    this.#folder = folder
    this.#clock = clock
  }

  /** Does the work unless the service is left alone. `timeout` of a RalphError is what counts as silence. */
  async ask<Result>(service: { name: string; url: string }, work: () => Promise<Result>): Promise<Result> {
    const left = this.leftAloneMs(service.url)
    if (left > 0) throw leftAlone(service, left)
    return this.heard(service.url, work)
  }

  /** Does the work in any case, as a check does, and remembers how it went. */
  async heard<Result>(url: string, work: () => Promise<Result>): Promise<Result> {
    try {
      const result = await work()
      this.answered(url)
      return result
    } catch (error) {
      const code = isRalphError(error) ? error.code : undefined
      if (code === 'timeout') this.fellSilent(url)
      // A refusal is an answer, too.
      else if (code !== 'cancelled') this.answered(url)
      throw error
    }
  }

  /** How much longer the service is left alone; 0 when it may be asked. */
  leftAloneMs(url: string): number {
    const now = this.#clock()
    const since = this.#here.get(url) ?? this.#written(url)
    // A time to come is of a clock that was set back meanwhile.
    return since === undefined || since > now ? 0 : Math.max(0, since + LEFT_ALONE_MS - now)
  }

  fellSilent(url: string): void {
    const now = this.#clock()
    try {
      const path = this.#path(url)
      if (path === undefined) throw new Error('no folder')
      this.#tidy(now)
      writeDisposableFile(path, String(now))
      this.#here.delete(url)
    } catch {
      // Nothing is lost but the time of the next process.
      this.#here.set(url, now)
    }
  }

  answered(url: string): void {
    this.#here.delete(url)
    const path = this.#path(url)
    if (path !== undefined) remove(path)
  }

  #path(url: string): string | undefined {
    const name = createHash('sha256').update(url).digest('hex').slice(0, NAME_LENGTH)
    return this.#folder === undefined ? undefined : join(this.#folder, name)
  }

  #written(url: string): number | undefined {
    const path = this.#path(url)
    return path === undefined ? undefined : timeIn(path)
  }

  /** What is over is of no use to anybody. */
  #tidy(now: number): void {
    if (this.#folder === undefined) return
    for (const name of namesIn(this.#folder).filter((one) => NAME.test(one))) {
      const path = join(this.#folder, name)
      if ((timeIn(path) ?? 0) < now - LEFT_ALONE_MS) remove(path)
    }
  }
}

function leftAlone({ name, url }: { name: string; url: string }, left: number): RalphError {
  const seconds = Math.ceil(left / 1_000)
  return new RalphError(
    'timeout',
    `${name} at ${shownUrl(url)} did not answer in time and is left alone for another ${seconds} s`,
    { hint: 'Restart it, then: ralph doctor', retryable: true, retryAfterMs: left },
  )
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Undefined where nobody has waited in vain, or somebody has damaged it. */
function timeIn(path: string): number | undefined {
  try {
    const time = Number(readFileSync(path, 'utf8'))
    return time > 0 ? time : undefined
  } catch {
    return undefined
  }
}

function remove(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // On a disk that cannot be written it is over by itself.
  }
}
