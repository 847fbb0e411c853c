import { type WaitingParts, type WaitingReport, whatWaits } from './waiting.ts'

export type { WaitingItem, WaitingKind, WaitingReport } from './waiting.ts'

/** What a person wants to know first. */
export class Overview {
  readonly #parts: WaitingParts

  constructor(parts: WaitingParts) {
    this.#parts = parts
  }

  /** What waits for a person. */
  waiting(): Promise<WaitingReport> {
    return whatWaits(this.#parts)
  }
}
