import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { RalphError, throwIfAborted } from '../../errors.ts'
import { plural } from '../../text/plural.ts'
import type { PdfPage } from './pdf-blocks.ts'
import type { PdfAnswer } from './pdf-process.ts'

/** Beside this file in the source; beside the other files of a bundle, under a name that says what it is. */
const ENTRIES = ['./pdf-process.ts', './pdf-process.js', '../pdf-process.js']
/** For one page, or for opening the file: a file that takes longer is not what it says it is. */
const PATIENCE_MS = 60_000
/** Of the thread. */
const MOST_MEGABYTES = 1_024
/** More text than in any book. */
const MOST_CHARACTERS = 30_000_000

export interface PdfText {
  title?: string
  pages: PdfPage[]
}

export interface ReadPdfOptions {
  signal?: AbortSignal | undefined
  onPage?: ((page: number, of: number) => void) | undefined
}

/** Reads PDFs in a thread of its own, which is loaded by the first and ended when one takes too long or too much. */
export class PdfReader {
  #thread: Worker | undefined

  /** The text of a PDF, page by page. The bytes are handed over: the caller has them no longer. */
  async read(bytes: Uint8Array<ArrayBuffer>, options: ReadPdfOptions = {}): Promise<PdfText> {
    throwIfAborted(options.signal)
    return withText(await collected(this.#answers(bytes, options.signal), options))
  }

  async close(): Promise<void> {
    const thread = this.#thread
    this.#thread = undefined
    await thread?.terminate()
  }

  async *#answers(
    bytes: Uint8Array<ArrayBuffer>,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<PdfAnswer> {
    this.#thread ??= startThread()
    const thread = this.#thread
    const received: PdfAnswer[] = []
    let wake: () => void = () => undefined
    let failure: RalphError | undefined
    let isAtRest = false
    const fail = (error: RalphError) => {
      failure ??= error
      wake()
    }
    const heard = (message: PdfAnswer) => {
      received.push(message)
      wake()
    }
    const failed = (error: unknown) => fail(threadError(error))
    const ended = () => fail(damaged('its reader ended without a word'))
    const cancelled = () => fail(new RalphError('cancelled', 'cancelled', { cause: signal?.reason }))
    thread.on('message', heard).on('error', failed).on('exit', ended)
    signal?.addEventListener('abort', cancelled)
    try {
      thread.postMessage({ bytes }, [bytes.buffer])
      for (;;) {
        while (received.length === 0) {
          if (failure) throw failure
          const { promise, resolve } = Promise.withResolvers<void>()
          wake = resolve
          const late = setTimeout(() => fail(tooSlow()), PATIENCE_MS)
          await promise
          clearTimeout(late)
        }
        const next = received.shift()!
        isAtRest = 'done' in next || 'failed' in next
        if ('done' in next) return
        yield next
      }
    } finally {
      signal?.removeEventListener('abort', cancelled)
      thread.off('message', heard).off('error', failed).off('exit', ended)
      // What a file has brought about does not meet the next one.
      if (!isAtRest) await this.close()
    }
  }
}

function startThread(): Worker {
  const paths = ENTRIES.map((entry) => fileURLToPath(new URL(entry, import.meta.url)))
  const path = paths.find((candidate) => existsSync(candidate))
  if (!path) throw new RalphError('internal', 'this installation lacks pdf-process.js')
  const thread = new Worker(path, {
    // What the library says is for those who draw.
    stdout: true,
    stderr: true,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEGABYTES },
  })
  // An error that nobody waits for any more ends no program.
  thread.on('error', () => undefined)
  return thread
}

async function collected(answers: AsyncIterable<PdfAnswer>, { onPage }: ReadPdfOptions): Promise<PdfText> {
  const text: PdfText = { pages: [] }
  let [expected, characters] = [0, 0]
  for await (const answer of answers) {
    if ('failed' in answer) throw pdfError(answer.failed)
    if ('pages' in answer) {
      expected = answer.pages
      if (answer.title !== undefined) text.title = answer.title
    }
    if (!('page' in answer)) continue
    text.pages.push(answer.page)
    onPage?.(answer.page.number, expected)
    for (const line of answer.page.lines) characters += line.text.length
    if (characters > MOST_CHARACTERS)
      throw new RalphError('limit_reached', `more text than in any book, up to page ${answer.page.number}`)
  }
  return text
}

function withText(text: PdfText): PdfText {
  if (text.pages.some(({ lines }) => lines.some((line) => /[\p{L}\p{N}]/u.test(line.text)))) return text
  throw new RalphError(
    'invalid_input',
    `a PDF without text: its ${plural(text.pages.length, 'page')} hold pictures, such as a scan`,
    { hint: 'Make its text readable first (OCR), e.g. with: ocrmypdf scan.pdf readable.pdf' },
  )
}

function pdfError({ name, message }: { name: string; message: string }): RalphError {
  if (name !== 'PasswordException') return damaged(message)
  return new RalphError('invalid_input', 'an encrypted PDF, which wants a password', {
    hint: 'Take the password off first, e.g. with: qpdf --decrypt --password=… locked.pdf open.pdf',
  })
}

function damaged(why: string): RalphError {
  return new RalphError('damaged', `a damaged PDF, or none (${why.replace(/\.$/, '')})`, {
    hint: 'Fetch or make it again.',
  })
}

function tooSlow(): RalphError {
  return new RalphError('timeout', `a PDF of which a page took longer than ${PATIENCE_MS / 1_000} s`)
}

function threadError(error: unknown): RalphError {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? new RalphError('limit_reached', `a PDF that takes more than ${MOST_MEGABYTES} MB of memory to read`)
    : damaged(error instanceof Error ? error.message : String(error))
}
