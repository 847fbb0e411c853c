import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { messageOf, RalphError, throwIfAborted } from '../../errors.ts'
import type { Notice } from '../../notices.ts'
import type { RuntimeOptions } from './open-runtime.ts'
import type { WorkerAnswer, WorkerMessage, WorkerRequest } from './worker.ts'

/** Small enough to be cancelled within a second, large enough that messages cost nothing. */
const TEXTS_PER_MESSAGE = 8
/** The thread holds a second copy of the model: between two batches of an import it stays, then it goes. */
const IDLE_MS = 5_000
/** Beside this file in the source; beside the other files of a bundle, under a name that says what it is. */
const ENTRIES = ['./worker.ts', './embedding-worker.js', '../embedding-worker.js']

/** Embeds long batches in a thread of its own, so that whoever asks stays responsive. */
export class WorkerEncoder {
  readonly #options: RuntimeOptions
  readonly #onNotice: (notice: Notice) => void
  #worker: Worker | undefined
  #idle: NodeJS.Timeout | undefined
  /** One batch after the other: a second thread would only double the memory. */
  #turn: Promise<unknown> = Promise.resolve()

  constructor(options: RuntimeOptions, onNotice: (notice: Notice) => void) {
    this.#options = options
    this.#onNotice = onNotice
  }

  encodeAll(texts: readonly string[], signal: AbortSignal | undefined): Promise<WorkerAnswer> {
    const answer = this.#turn.then(() => this.#encodeInTurn(texts, signal))
    this.#turn = answer.catch(() => undefined)
    return answer
  }

  async close(): Promise<void> {
    await this.#turn
    clearTimeout(this.#idle)
    const worker = this.#worker
    this.#worker = undefined
    await worker?.terminate()
  }

  async #encodeInTurn(texts: readonly string[], signal: AbortSignal | undefined): Promise<WorkerAnswer> {
    throwIfAborted(signal)
    clearTimeout(this.#idle)
    this.#worker ??= this.#start()
    const worker = this.#worker
    worker.ref()
    const whole: WorkerAnswer = { vectors: [], tokens: 0 }
    try {
      for (let start = 0; start < texts.length; start += TEXTS_PER_MESSAGE) {
        throwIfAborted(signal)
        const { vectors, tokens } = await ask(worker, {
          texts: texts.slice(start, start + TEXTS_PER_MESSAGE),
        })
        whole.vectors.push(...vectors)
        whole.tokens += tokens
      }
      return whole
    } catch (error) {
      // Cancelled between two messages the thread is fine; after anything else a new one is safer.
      if (!signal?.aborted) this.#discard(worker)
      throw error
    } finally {
      worker.unref()
      this.#idle = setTimeout(() => this.#discard(worker), IDLE_MS).unref()
    }
  }

  #start(): Worker {
    const paths = ENTRIES.map((entry) => fileURLToPath(new URL(entry, import.meta.url)))
    const path = paths.find((candidate) => existsSync(candidate))
    if (!path) throw new RalphError('internal', 'this installation lacks embedding-worker.js')
    return new Worker(path, { workerData: this.#options }).on('message', (message: WorkerMessage) => {
      if ('notice' in message) this.#onNotice(message.notice)
    })
  }

  #discard(worker: Worker): void {
    if (this.#worker === worker) this.#worker = undefined
    void worker.terminate()
  }
}

function ask(worker: Worker, request: WorkerRequest): Promise<WorkerAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<WorkerAnswer>()
  const fail = (problem: string, cause?: unknown) => reject(new RalphError('unavailable', problem, { cause }))
  const onMessage = (message: WorkerMessage) => {
    if ('problem' in message) fail(message.problem)
    else if ('vectors' in message) resolve(message)
  }
  const onError = (error: unknown) => fail(messageOf(error), error)
  const onExit = (code: number) => fail(`the thread ended with code ${code}`)
  worker.on('message', onMessage).on('error', onError).on('exit', onExit)
  worker.postMessage(request)
  return promise.finally(() => worker.off('message', onMessage).off('error', onError).off('exit', onExit))
}
