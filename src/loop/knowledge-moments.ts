import { storageDown } from './briefing.ts'
import { type Emit, type StopCause, sayTrouble } from './events.ts'
import type { LoopParts } from './parts.ts'

/** When the loop turns to project knowledge: before any work, when a feature or the project is done, at its end. */
export class KnowledgeMoments {
  readonly #parts: Pick<LoopParts, 'board' | 'knowledge' | 'notices'>
  readonly #emit: Emit

  constructor(parts: Pick<LoopParts, 'board' | 'knowledge' | 'notices'>, emit: Emit) {
    this.#parts = parts
    this.#emit = emit
  }

  async begin(signal: AbortSignal | undefined): Promise<void> {
    try {
      await this.#parts.knowledge?.begin(signal)
    } catch (error) {
      this.#parts.notices.once(storageDown('project knowledge is off', error))
    }
  }

  /** A feature whose last task is done is a moment to keep what it taught. */
  async iterated(feature: string): Promise<void> {
    const { knowledge, board } = this.#parts
    if (!knowledge) return
    const tasks = await board.tasks({ feature })
    if (tasks.some(({ status }) => status !== 'done' && status !== 'skipped')) return
    await knowledge.checkpoint('feature_complete')
  }

  async ended(cause: StopCause): Promise<void> {
    await this.#checkpoint(cause)
    await this.#sayWhatWaits()
  }

  async #checkpoint(cause: StopCause): Promise<void> {
    const trigger =
      cause === 'done' ? 'project_complete' : cause === 'interrupted' ? 'cancellation' : undefined
    if (!trigger) return
    await this.#parts.knowledge?.checkpoint(trigger).catch((error) => sayTrouble(this.#emit, error))
  }

  /** Nobody looks at work that nobody knows to be waiting. */
  async #sayWhatWaits(): Promise<void> {
    try {
      const gates = (await this.#parts.knowledge?.waitingGates()) ?? []
      if (gates.length > 0) this.#emit({ kind: 'gates_waiting', gates })
    } catch (error) {
      this.#parts.notices.once(storageDown('gates cannot be read', error))
    }
  }
}
