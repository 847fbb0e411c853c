import { setTimeout as sleep } from 'node:timers/promises'
import { RalphError, throwIfAborted } from '../../errors.ts'
import { CHECK_TIMEOUT_MS, SilentServices } from '../../services/silent-services.ts'
import { shownUrl } from '../../text/shown-url.ts'
import { type HttpRequest, QdrantHttp, QdrantRefusal } from './http.ts'
import { isMissing, isOverRate, qdrantError, timedOut, waitBeforeRetry } from './qdrant-error.ts'

/** The first version with IDF for sparse vectors and tenant keys. */
const OLDEST_VERSION = [1, 11] as const
/** Somebody waits for what is read; what is written may have to wait for the disk. */
const PATIENCE_MS = { read: 10_000, write: 60_000 } as const

export interface ConnectionOptions {
  /** With port, if it is not 6333; with path, if Qdrant is behind a proxy. */
  url: string
  apiKey?: string | undefined
  /** After this long without an answer a request is given up. */
  timeoutMs?: number | undefined
  /** Which services hang; known to this connection alone unless given. */
  silent?: SilentServices | undefined
}

export interface CallOptions {
  signal?: AbortSignal | undefined
  /** What is written waits longer. */
  kind?: 'read' | 'write'
  timeoutMs?: number
  /** Also when it is left alone for having hung. */
  inAnyCase?: boolean
  /** Not: whoever comes too soon is told at once. */
  waits?: boolean
}

/** One Qdrant server: it may be down, busy or hang; whatever goes wrong becomes an error with a next step. */
export class QdrantConnection {
  readonly url: string
  readonly #options: ConnectionOptions
  readonly #silent: SilentServices
  #http: QdrantHttp | undefined

  constructor(options: ConnectionOptions) {
    this.url = options.url
    this.#options = options
    this.#silent = options.silent ?? new SilentServices()
  }

  /** Undefined when the collection, or what is asked of it, is not there. */
  async find<Result>(
    request: Omit<HttpRequest, 'signal'>,
    options: CallOptions = {},
  ): Promise<Result | undefined> {
    try {
      return await this.#asked<Result>(request, options)
    } catch (error) {
      if (isMissing(error)) return undefined
      throw this.#told(error, request)
    }
  }

  async call<Result>(request: Omit<HttpRequest, 'signal'>, options: CallOptions = {}): Promise<Result> {
    try {
      return await this.#asked<Result>(request, options)
    } catch (error) {
      throw this.#told(error, request)
    }
  }

  /** Refusals as they come, for those who know what to do about some of them; `told` makes the rest readable. */
  async attempt<Result>(request: Omit<HttpRequest, 'signal'>, options: CallOptions = {}): Promise<Result> {
    try {
      return await this.#asked<Result>(request, options)
    } catch (error) {
      throw error instanceof QdrantRefusal ? error : this.#told(error, request)
    }
  }

  /** As an error for people. */
  told(error: unknown): unknown {
    return qdrantError(error, { url: this.url, bytes: 0 })
  }

  /** Needs no key: says that it is Qdrant and which one, not that we may use it. */
  async version(options: CallOptions = {}): Promise<string> {
    const answer = await this.call<{ version?: unknown }>({ method: 'GET', path: '/' }, options)
    return checkedVersion(answer?.version, shownUrl(this.url))
  }

  close(): void {
    this.#http?.close()
    this.#http = undefined
  }

  async #asked<Result>(request: Omit<HttpRequest, 'signal'>, options: CallOptions): Promise<Result> {
    const { signal, kind = 'read', inAnyCase = false, waits = true } = options
    throwIfAborted(signal)
    const milliseconds = options.timeoutMs ?? this.#options.timeoutMs ?? PATIENCE_MS[kind]
    const work = () => this.#withRetries<Result>(request, { milliseconds, given: signal, waits })
    return inAnyCase
      ? this.#silent.heard(this.url, work)
      : this.#silent.ask({ name: 'Qdrant', url: this.url }, work)
  }

  /** Within the time that somebody waits anyway. */
  async #withRetries<Result>(
    request: Omit<HttpRequest, 'signal'>,
    { milliseconds, given, waits }: { milliseconds: number; given: AbortSignal | undefined; waits: boolean },
  ): Promise<Result> {
    this.#http ??= new QdrantHttp(this.#options)
    const late = AbortSignal.timeout(milliseconds)
    const signal = given ? AbortSignal.any([given, late]) : late
    const begun = performance.now()
    for (let attempt = 0; ; attempt++) {
      try {
        return (await this.#http.send({ ...request, signal })) as Result
      } catch (error) {
        if (given?.aborted && !isLongWait(given.reason, performance.now() - begun)) throw cancelled(given)
        if (signal.aborted) throw timedOut(this.url, milliseconds / 1_000, error)
        const wait = waitBeforeRetry(error, attempt)
        if (!waits && isOverRate(error)) throw error
        if (wait === undefined || performance.now() + wait > begun + milliseconds) throw error
        await sleep(wait, undefined, { signal }).catch(() => undefined)
        throwIfAborted(given)
      }
    }
  }

  #told(error: unknown, { body }: Omit<HttpRequest, 'signal'>): unknown {
    const bytes =
      error instanceof RalphError || body === undefined ? 0 : Buffer.byteLength(JSON.stringify(body))
    return qdrantError(error, { url: this.url, bytes })
  }
}

/** Whoever asked gave up after so long that the server is the one who is late. */
function isLongWait(reason: unknown, waitedMs: number): boolean {
  return reason instanceof Error && reason.name === 'TimeoutError' && waitedMs >= CHECK_TIMEOUT_MS
}

function cancelled({ reason }: AbortSignal): RalphError {
  return new RalphError('cancelled', 'cancelled', { cause: reason })
}

function checkedVersion(version: unknown, url: string): string {
  const parsed = typeof version === 'string' ? /^(\d+)\.(\d+)\./.exec(version) : null
  if (!parsed) {
    throw new RalphError('unavailable', `what answers at ${url} is not Qdrant`, {
      hint: 'Check index.url (RALPH_QDRANT_URL); Qdrant listens on port 6333 unless told otherwise.',
    })
  }
  const [major, minor] = [Number(parsed[1]), Number(parsed[2])]
  const [oldestMajor, oldestMinor] = OLDEST_VERSION
  if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
    throw new RalphError('unsupported_version', `Qdrant at ${url} is version ${version}`, {
      hint: `Update Qdrant to ${OLDEST_VERSION.join('.')} or newer.`,
    })
  }
  return parsed.input
}
