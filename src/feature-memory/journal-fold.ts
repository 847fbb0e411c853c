import { isRalphError } from '../errors.ts'
import { writeFileAtomically } from '../files/atomic-write.ts'
import { readOwnFile } from '../files/own-files.ts'
import { z } from '../text/schema.ts'
import type { Journal, JournalItem, WorkedOut } from './journal.ts'
import { JournalPosition, type ParseLine } from './journal-lines.ts'

/** Something that is worked out from a journal, line by line. */
export interface Folding<Entry, State> {
  /** Names the way of counting: what was kept under another name is not taken over. */
  basis: string
  cache: WorkedOut
  /** All that is wanted of a line. */
  parseLine: ParseLine<Entry>
  start(): State
  add(state: State, item: JournalItem<Entry>): void
  /** As it is kept, in JSON, and back; `load` throws for what is not of this form. */
  save(state: State): unknown
  load(saved: unknown): State
}

/** What was worked out, and how far the journal had been read by then. Disposable. */
const Kept = z.object({ basis: z.string(), position: JournalPosition, state: z.unknown() })

interface Held<State> {
  state: State
  position: JournalPosition
}

/** Rewriting what is kept must cost less than reading again what came since: it is this many times quicker. */
const WRITES_FASTER = 4

/**
 * Keeps what is worked out from a journal level with it: only what is new is read, in this process and, by a file in the
 * cache, in the next one. Where the journal was rewritten, everything is worked out anew.
 */
export class JournalFold<Entry, State> {
  readonly #journal: Journal
  readonly #folding: Folding<Entry, State>
  readonly #cachePath: string
  #held: Held<State> | undefined
  #shown: State | undefined
  #stamp: string | undefined
  #kept = { to: 0, bytes: 0 }
  #reading: Promise<unknown> = Promise.resolve()

  constructor(journal: Journal, folding: Folding<Entry, State>) {
    this.#journal = journal
    this.#folding = folding
    this.#cachePath = journal.cacheFile(folding.cache)
  }

  /** As of now. One reading at a time: two at once would count the same lines twice. */
  current(): Promise<State> {
    const reading = this.#reading.catch(() => undefined).then(() => this.#current())
    this.#reading = reading
    return reading
  }

  async #current(): Promise<State> {
    const stamp = this.#journal.stamp()
    if (this.#shown !== undefined && stamp === this.#stamp) return this.#shown
    const known = this.#held ?? this.#recall()
    // Until it is read to the end, what is held counts some lines that its position does not.
    this.#held = undefined
    this.#shown = await this.#readOn(known)
    this.#stamp = stamp
    return this.#shown
  }

  #readOn(known: Held<State> | undefined): Promise<State> {
    const { parseLine, start, add, save, load } = this.#folding
    return this.#journal.readAs(parseLine, known?.position, async ({ restarted, items, position }) => {
      if (restarted) this.#kept = { to: 0, bytes: 0 }
      const state = known && !restarted ? known.state : start()
      const unfinished: JournalItem<Entry>[] = []
      for await (const item of items) {
        // A last line without its line feed may still grow: it counts, but is not remembered as counted.
        if (item.next.line === item.line) add(state, item)
        else unfinished.push(item)
      }
      this.#held = { state, position: await position() }
      await this.#keep(this.#held)
      if (unfinished.length === 0) return state
      const shown = load(JSON.parse(JSON.stringify(save(state))))
      for (const item of unfinished) add(shown, item)
      return shown
    })
  }

  #recall(): Held<State> | undefined {
    try {
      const content = readOwnFile(this.#cachePath).toString('utf8')
      const text = this.#journal.seal.opened(this.#cachePath, content)
      if (text === undefined) return undefined // a clone brought it, or an agent wrote it
      const { basis, position, state } = Kept.parse(JSON.parse(text))
      if (basis !== this.#folding.basis) return undefined
      const held = { state: this.#folding.load(state), position }
      this.#kept = { to: position.offset, bytes: text.length }
      return held
    } catch {
      return undefined // missing, damaged, or nobody's: worked out anew
    }
  }

  async #keep({ state, position }: Held<State>): Promise<void> {
    const news = position.offset - this.#kept.to
    if (news === 0 || news * WRITES_FASTER < this.#kept.bytes) return
    const { basis, save } = this.#folding
    const text = JSON.stringify({ basis, position, state: save(state) })
    try {
      const content = this.#journal.seal.sealed(this.#cachePath, text)
      await writeFileAtomically(this.#cachePath, content, { disposable: true })
      this.#kept = { to: position.offset, bytes: text.length }
    } catch (error) {
      if (!isRalphError(error)) throw error // a full or read-only disk costs time, not the answer
    }
  }
}
