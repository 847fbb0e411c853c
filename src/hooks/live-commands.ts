import { onlyLooks } from '../shell/only-looks.ts'
import { isSameFailure } from '../text/error-signature.ts'
import { redactValue } from '../text/redact-value.ts'
import type { SessionNotes } from './session-notes.ts'

export interface LiveFailure {
  signatures: string[]
  message: string
  times: number
  /** Milliseconds. */
  at: number
}

type Line =
  | { event: 'failed'; key: string; signatures: string[]; message: string; at: number }
  /** It is about to run again; noted only of those that failed. */
  | { event: 'started'; key: string; at: number }
  /** Something was done that may have changed what commands find. */
  | { event: 'acted'; key: string; at: number }

/** What a session's own commands came to, as far as its hooks saw it: they see what starts and what fails. */
export class LiveCommands {
  readonly #notes: SessionNotes
  readonly #lines: Line[]

  constructor(notes: SessionNotes) {
    this.#notes = notes
    this.#lines = notes.commandLines().flatMap(parse)
  }

  failed(key: string, failure: Pick<LiveFailure, 'signatures' | 'message'>): void {
    this.#add({ event: 'failed', key, ...failure, at: Date.now() })
  }

  started(key: string, command: string): void {
    if (onlyLooks(command)) return
    if (this.#lines.some((line) => line.event === 'failed' && line.key === key))
      this.#add({ event: 'started', key, at: Date.now() })
    this.acted(key)
  }

  acted(key: string): void {
    const last = this.#lines.findLast(({ event }) => event === 'acted')
    const failedSince = this.#lines.at(-1)?.event === 'failed'
    if (last?.key !== key || failedSince) this.#add({ event: 'acted', key, at: Date.now() })
  }

  /** How it failed the last time it ran, if it did, and how often in a row in just this way. */
  failureOf(key: string): LiveFailure | undefined {
    let failure: LiveFailure | undefined
    let running = false
    for (const line of this.#lines.filter((one) => one.key === key)) {
      if (line.event === 'failed') {
        const before: LiveFailure | undefined = failure
        const again = before !== undefined && isSameFailure(before.signatures, line.signatures)
        failure = { ...line, times: again ? before.times + 1 : 1 }
        running = false
      } else if (line.event === 'started') {
        // Started before and not failed: it went well.
        if (running) failure = undefined
        running = true
      }
    }
    return running ? undefined : failure
  }

  hasRun(key: string): boolean {
    return this.#lines.some((line) => line.key === key)
  }

  /** Whether anything but this command was done after that time. */
  actedSince(at: number, key: string): boolean {
    return this.#lines.some((line) => line.event === 'acted' && line.key !== key && line.at > at)
  }

  #add(line: Line): void {
    const safe = redactValue(line)
    this.#lines.push(safe)
    this.#notes.addCommandLine(JSON.stringify(safe))
  }
}

function parse(text: string): Line[] {
  try {
    return [JSON.parse(text)]
  } catch {
    return [] // written by two at once
  }
}
