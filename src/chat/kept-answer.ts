/** Of an answer that is killed in the middle, about as much is lost. */
const EVERY_MS = 1_000

/** An answer while it comes: what there is of it is stored about every second. */
export class KeptAnswer {
  readonly #store: (text: string) => Promise<void>
  #text = ''
  #planned: NodeJS.Timeout | undefined
  #storing: Promise<void> | undefined
  #isEnded = false

  constructor(store: (text: string) => Promise<void>) {
    this.#store = store
  }

  get text(): string {
    return this.#text
  }

  hear(piece: string): void {
    this.#text += piece
    this.#plan()
  }

  /** What was said so far was a step on the way. */
  beginAnew(): void {
    this.#text = ''
    this.#plan()
  }

  /** From here on nothing is stored. */
  async ended(): Promise<void> {
    this.#isEnded = true
    clearTimeout(this.#planned)
    await this.#storing
  }

  #plan(): void {
    if (this.#isEnded) return
    this.#planned ??= setTimeout(() => this.#keep(), EVERY_MS)
  }

  #keep(): void {
    this.#planned = undefined
    // A slow storage gets the next one when it is done with this.
    if (this.#storing) {
      this.#plan()
      return
    }
    // Up to the last whole word: half a secret would not be recognised as one.
    const end = Math.max(this.#text.lastIndexOf(' '), this.#text.lastIndexOf('\n'))
    this.#storing = this.#store(this.#text.slice(0, Math.max(0, end)))
      // A storage in trouble is met again when the whole is stored, which says so.
      .catch(() => undefined)
      .finally(() => {
        this.#storing = undefined
      })
  }
}
