import { isDeepStrictEqual } from 'node:util'
import { withinTime } from '../deferred.ts'
import { RalphError } from '../errors.ts'
import { calibrationBy, TELLS_NOTHING, UNMEASURED } from './calibration.ts'
import { GRADED_NOTES } from './calibration-pairs.ts'
import type { Calibration, EmbeddingKind } from './embedder.ts'
import { type Measured, type MeasuredModel, MeasuredModels } from './measured.ts'
import type { RemoteClient } from './remote-client.ts'

/** So long somebody who asks a question waits for the model to be measured. */
const QUESTION_PATIENCE_MS = 2_000
/** After a failure nobody tries again for so long. */
const PAUSE_MS = 60_000

/** What only the model itself can tell, asked once for all processes of a user: its dimensions, and where its cosines lie. */
export class Measuring {
  readonly #client: RemoteClient
  readonly #model: MeasuredModel
  readonly #kept: MeasuredModels
  readonly #closed = new AbortController()
  #version: Promise<string | undefined> | undefined
  #dimensions: number | undefined
  #calibration: Calibration | undefined
  #measuring: Promise<Calibration> | undefined
  #failed: { error: unknown; at: number } | undefined

  constructor(client: RemoteClient, model: MeasuredModel, kept: MeasuredModels = new MeasuredModels()) {
    this.#client = client
    this.#model = model
    this.#kept = kept
    this.#dimensions = client.dimensions
  }

  /** An estimate until the model has been measured. */
  get calibration(): Calibration {
    return this.#calibration ?? UNMEASURED
  }

  /** What scores are worth at present, in words for `ralph status`. Asks nobody. */
  get worth(): string {
    const calibration = this.#calibration ?? this.#kept.find(this.#model)?.calibration
    if (!calibration) return 'scores estimated until it is measured by the next search or record'
    return isDeepStrictEqual(calibration, TELLS_NOTHING)
      ? 'it finds everything equally alike, so its scores count for nothing and words decide'
      : 'scores measured'
  }

  async dimensions(): Promise<number> {
    if (this.#dimensions !== undefined) return this.#dimensions
    // Of a model that was never asked nothing can be had without its service: then it is worth asking.
    if (!this.#kept.find(this.#model)) await this.#client.knock()
    this.#dimensions = (await this.#recall())?.dimensions
    if (this.#dimensions === undefined) {
      const [vector] = await this.#embed(['a test'], 'document')
      this.#dimensions = vector!.length
      await this.#keep({ dimensions: this.#dimensions })
    }
    return this.#dimensions
  }

  /**
   * Measures the model unless that has been done. Who asks a question waits for it only a little; where that was not enough
   * once, it is left to those who store documents and have the time.
   */
  async calibrate(kind: EmbeddingKind, signal?: AbortSignal): Promise<void> {
    if (this.#calibration) return
    if (this.#failed && performance.now() - this.#failed.at < PAUSE_MS) throw this.#failed.error
    try {
      const kept = await this.#recall()
      this.#calibration = kept?.calibration
      if (this.#calibration || (kept?.slow && kind === 'query')) return
      this.#measuring ??= this.#measure(signal).finally(() => {
        this.#measuring = undefined
      })
      if (kind === 'document') await this.#measuring
      else if ((await withinTime(this.#measuring, QUESTION_PATIENCE_MS)) === undefined) await this.#putOff()
    } catch (error) {
      this.#failed = { error, at: performance.now() }
      throw error
    }
  }

  /** Nobody needs what is being measured any longer. */
  close(): void {
    this.#closed.abort(new DOMException('the embedder was closed', 'AbortError'))
  }

  async #measure(signal: AbortSignal | undefined): Promise<Calibration> {
    const asked = GRADED_NOTES.flatMap(({ questions }) => questions)
    const questions = await this.#embed(asked, 'query', signal)
    const noted = GRADED_NOTES.map(({ note }) => note)
    const notes = await this.#embed(noted, 'document', signal)
    this.#calibration = calibrationBy(questions, notes)
    await this.#keep({ dimensions: notes[0]!.length, calibration: this.#calibration })
    return this.#calibration
  }

  async #putOff(): Promise<never> {
    const dimensions = await this.dimensions()
    if (!this.#calibration) await this.#keep({ dimensions, slow: true })
    throw new RalphError('timeout', 'measuring it takes longer than a question may wait')
  }

  async #embed(texts: readonly string[], kind: EmbeddingKind, signal?: AbortSignal): Promise<Float32Array[]> {
    const ends = signal ? AbortSignal.any([signal, this.#closed.signal]) : this.#closed.signal
    const vectors = await this.#client.embed(texts, kind, ends)
    this.#client.usage.texts += texts.length
    return vectors
  }

  /** What was found out before, of the model as it is now. */
  async #recall(): Promise<Measured | undefined> {
    let version: string | undefined
    try {
      this.#version ??= this.#client.version()
      version = await this.#version
    } catch (error) {
      this.#version = undefined
      // As it was the last time: whoever needs a vector will hear that nobody is there.
      const last = this.#kept.find(this.#model)
      if (last) return last
      throw error
    }
    const models = [this.#model, { ...this.#model, version }]
    this.#client.onOtherDimensions = () => this.#kept.drop(...models)
    const kept = this.#kept.find({ ...this.#model, version })
    if (kept) this.#kept.keep(kept, ...models)
    return kept
  }

  async #keep(measured: Measured): Promise<void> {
    this.#kept.keep(measured, this.#model, { ...this.#model, version: await this.#version })
  }
}
