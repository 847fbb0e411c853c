import { setTimeout as sleep } from 'node:timers/promises'
import type { QdrantClient } from '@qdrant/js-client-rest'
import { once } from '../../deferred.ts'
import { RalphError, throwIfAborted } from '../../errors.ts'
import { shownUrl } from '../../text/shown-url.ts'
import { isMissing, qdrantError, waitBeforeRetry } from './qdrant-error.ts'

/** The first version with IDF for sparse vectors and tenant keys. */
const OLDEST_VERSION = [1, 11] as const
const DEFAULT_PORT = 6333
const RETRIES = 3

export interface ConnectionOptions {
  url: string
  apiKey?: string | undefined
  /** After this long without an answer a request is given up. */
  timeoutMs?: number | undefined
}

export interface CallOptions<Result> {
  signal?: AbortSignal | undefined
  /** The result when the collection, or what is asked of it, is not there. */
  ifMissing?: () => Result
}

/** Qdrant's own client, loaded on first use; what it throws becomes an error with a next step. */
export class QdrantConnection {
  readonly url: string
  readonly #options: ConnectionOptions
  #open: () => Promise<QdrantClient>

  constructor(options: ConnectionOptions) {
    this.url = options.url
    this.#options = options
    this.#open = once(() => connect(options))
  }

  async call<Result>(
    work: (client: QdrantClient) => Promise<Result>,
    { signal, ifMissing }: CallOptions<Result> = {},
  ): Promise<Result> {
    for (let attempt = 0; ; attempt++) {
      throwIfAborted(signal)
      try {
        return await abortable(
          this.#open().then((client) => work(client)),
          signal,
        )
      } catch (error) {
        if (ifMissing && isMissing(error)) return ifMissing()
        const wait = attempt < RETRIES ? waitBeforeRetry(error, attempt) : undefined
        if (wait === undefined) throw qdrantError(error, this.url)
        await sleep(wait)
      }
    }
  }

  async version(): Promise<string> {
    const { version } = await this.call((client) => client.versionInfo())
    return version
  }

  close(): void {
    this.#open = once(() => connect(this.#options))
  }
}

async function connect({ url, apiKey, timeoutMs = 30_000 }: ConnectionOptions): Promise<QdrantClient> {
  const { QdrantClient } = await import('@qdrant/js-client-rest').catch((cause) => {
    throw new RalphError('missing_dependency', 'the client library for Qdrant is not installed', {
      hint: 'npm install @qdrant/js-client-rest',
      cause,
    })
  })
  const { protocol, hostname, pathname } = new URL(url)
  const client = new QdrantClient({
    host: hostname,
    https: protocol === 'https:',
    port: portOf(url),
    prefix: pathname === '/' ? '' : pathname.replace(/\/$/, ''),
    timeout: timeoutMs,
    // As a header of ours: given as option, the client would print a warning about plain HTTP.
    ...(apiKey && { headers: { 'api-key': apiKey } }),
    checkCompatibility: false,
  })
  const { version } = await client.versionInfo()
  checkVersion(version, shownUrl(url))
  return client
}

/** URL drops a port that is the scheme's default, but Qdrant's default is another one. */
export function portOf(url: string): number {
  const written = /^[a-z]+:\/\/[^/]*?:(\d+)(?:\/|$)/i.exec(url)?.[1]
  return written === undefined ? DEFAULT_PORT : Number(written)
}

function checkVersion(version: unknown, url: string): void {
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
}

/** The client cannot cancel a request; whoever waits for it can at least go on. */
async function abortable<Result>(promise: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (!signal) return promise
  let stop: () => void = () => undefined
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(new RalphError('cancelled', 'cancelled', { cause: signal.reason }))
    signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
    promise.catch(() => undefined)
  }
}
