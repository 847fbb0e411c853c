import { storageDown } from './briefing.ts'
import type { Emit, StopCause } from './events.ts'
import { handOnWaiting } from './hand-on.ts'
import type { Histories } from './history.ts'
import type { LoopKnowledge, LoopParts } from './parts.ts'

/** When the loop turns to project knowledge: before any work, when a feature or the project is done, at its end. */
export class KnowledgeMoments {
  readonly #parts: LoopParts
  readonly #histories: Histories
  readonly #emit: Emit

  constructor(parts: LoopParts, histories: Histories, emit: Emit) {
    this.#parts = parts
    this.#histories = histories
    this.#emit = emit
  }

  async begin(signal: AbortSignal | undefined): Promise<void> {
    try {
      await handOnWaiting(this.#parts, this.#histories)
      await this.#parts.knowledge?.begin(signal)
    } catch (error) {
      this.#parts.notices.once(storageDown('project knowledge is off', error))
    }
  }

  /** What was decided on other clones, before a task is chosen. */
  async heed(): Promise<void> {
    try {
      const gates = (await this.#parts.knowledge?.sendBackRejected()) ?? []
      if (gates.length > 0) this.#emit({ kind: 'sent_back', gates })
    } catch (error) {
      this.#parts.notices.once(storageDown('project knowledge is off, and with it gates', error))
    }
  }

  /** A feature whose last task is done is a moment to keep what it taught. */
  async iterated(feature: string): Promise<void> {
    const { knowledge, board } = this.#parts
    if (!knowledge) return
    await this.#tellLate()
    const tasks = await board.tasks({ feature })
    if (tasks.some(({ status }) => status !== 'done' && status !== 'skipped')) return
    await this.#checkpoint('feature_complete')
  }

  async ended(cause: StopCause): Promise<void> {
    await this.#tellLate()
    if (cause === 'done') await this.#checkpoint('project_complete')
    if (cause === 'interrupted') await this.#checkpoint('cancellation')
    await this.#sayWhatWaits()
  }

  /** The storage may be back, or still be down, which is said already. */
  async #tellLate(): Promise<void> {
    await handOnWaiting(this.#parts, this.#histories).catch((error) =>
      this.#parts.notices.once(storageDown('iterations wait to be handed on to project knowledge', error)),
    )
  }

  async #checkpoint(trigger: Parameters<LoopKnowledge['checkpoint']>[0]): Promise<void> {
    try {
      await this.#parts.knowledge?.checkpoint(trigger)
    } catch (error) {
      const consequence = 'project knowledge is off, and what is staged waits for the next checkpoint'
      this.#parts.notices.once(storageDown(consequence, error))
    }
  }

  /** Nobody looks at work that nobody knows to be waiting. */
  async #sayWhatWaits(): Promise<void> {
    try {
      const gates = (await this.#parts.knowledge?.waitingGates()) ?? []
      if (gates.length > 0) this.#emit({ kind: 'gates_waiting', gates })
    } catch (error) {
      this.#parts.notices.once(storageDown('project knowledge is off, and with it gates', error))
    }
  }
}
