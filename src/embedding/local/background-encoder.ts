import { type ChildProcess, fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { messageOf, RalphError, throwIfAborted } from '../../errors.ts'
import type { Notice } from '../../notices.ts'
import type { BackgroundAnswer, BackgroundMessage, BackgroundRequest } from './background-process.ts'
import type { RuntimeOptions } from './open-runtime.ts'
import type { Encoded, EncodeOptions } from './runtime.ts'

/** Small enough to be cancelled within a second, large enough that messages cost nothing. */
const TEXTS_PER_MESSAGE = 8
/** The process holds a second copy of the model: between two batches of an import it stays, then it goes. */
const IDLE_MS = 5_000
/** Beside this file in the source; beside the other files of a bundle, under a name that says what it is. */
const ENTRIES = ['./background-process.ts', './embedding-process.js', '../embedding-process.js']

/**
 * Embeds long batches in a process of its own, so that whoever asks stays responsive. A thread will not do: when
 * one that used onnxruntime 1.17 ends, the memory of the others is corrupt.
 */
export class BackgroundEncoder {
  readonly #options: RuntimeOptions
  readonly #onNotice: (notice: Notice) => void
  #process: ChildProcess | undefined
  #idle: NodeJS.Timeout | undefined
  /** One batch after the other: a second process would only double the memory. */
  #turn: Promise<unknown> = Promise.resolve()

  constructor(options: RuntimeOptions, onNotice: (notice: Notice) => void) {
    this.#options = options
    this.#onNotice = onNotice
  }

  encodeAll(
    texts: readonly string[],
    options: EncodeOptions,
    signal: AbortSignal | undefined,
  ): Promise<Encoded[]> {
    const answer = this.#turn.then(() => this.#encodeInTurn(texts, options, signal))
    this.#turn = answer.catch(() => undefined)
    return answer
  }

  async close(): Promise<void> {
    await this.#turn
    this.#end()
  }

  async #encodeInTurn(
    texts: readonly string[],
    options: EncodeOptions,
    signal: AbortSignal | undefined,
  ): Promise<Encoded[]> {
    throwIfAborted(signal)
    clearTimeout(this.#idle)
    this.#process ??= this.#start()
    const child = this.#process
    hold(child)
    const whole: Encoded[] = []
    try {
      for (let start = 0; start < texts.length; start += TEXTS_PER_MESSAGE) {
        throwIfAborted(signal)
        const part = texts.slice(start, start + TEXTS_PER_MESSAGE)
        whole.push(...(await ask(child, { ...options, texts: part })).encoded)
      }
      return whole
    } catch (error) {
      // Cancelled between two messages the process is fine; after anything else a new one is safer.
      if (!signal?.aborted) this.#end()
      throw error
    } finally {
      release(child)
      this.#idle = setTimeout(() => this.#end(), IDLE_MS).unref()
    }
  }

  #start(): ChildProcess {
    const paths = ENTRIES.map((entry) => fileURLToPath(new URL(entry, import.meta.url)))
    const path = paths.find((candidate) => existsSync(candidate))
    if (!path) throw new RalphError('internal', 'this installation lacks embedding-process.js')
    // Nothing may reach our standard output, which can be a protocol; flags of ours are not its business.
    const child = fork(path, {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      execArgv: [],
    })
    child.on('message', (message: BackgroundMessage) => {
      if ('notice' in message) this.#onNotice(message.notice)
    })
    const open: BackgroundRequest = { open: this.#options }
    child.send(open)
    return child
  }

  /** It ends by itself when nobody is connected any more. */
  #end(): void {
    clearTimeout(this.#idle)
    const child = this.#process
    this.#process = undefined
    if (child?.connected) child.disconnect()
  }
}

/** A process at work keeps ours alive, one that waits does not. */
function hold(child: ChildProcess): void {
  child.ref()
  child.channel?.ref()
}

function release(child: ChildProcess): void {
  child.unref()
  child.channel?.unref()
}

function ask(child: ChildProcess, request: BackgroundRequest): Promise<BackgroundAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<BackgroundAnswer>()
  const fail = (problem: string, cause?: unknown) => reject(new RalphError('unavailable', problem, { cause }))
  const onMessage = (message: BackgroundMessage) => {
    if ('problem' in message) fail(message.problem)
    else if ('encoded' in message) resolve(message)
  }
  const onError = (error: unknown) => fail(messageOf(error), error)
  const onExit = (code: number | null, signal: string | null) => fail(`its process ended (${signal ?? code})`)
  child.on('message', onMessage).on('error', onError).on('exit', onExit)
  child.send(request, (error) => error && onError(error))
  return promise.finally(() => child.off('message', onMessage).off('error', onError).off('exit', onExit))
}
