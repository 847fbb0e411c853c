import { withinTime } from '../deferred.ts'
import { isRalphError } from '../errors.ts'
import type { AskedMemories } from '../recall/recall.ts'
import { KINDS_IN_RUNS } from '../recall/recollection.ts'
import { searchableFeatures } from '../recall/searchable.ts'
import { gather, type MapMemory } from './gather.ts'
import { placed } from './layout/layout.ts'
import { Positions } from './positions.ts'

/** A memory with its place in the plane: near it stands what means nearly the same. */
export type MapPoint = MapMemory & { x: number; y: number }

export interface MapPicture {
  points: MapPoint[]
  /** How many memories there are in all; of more than `MOST_POINTS` a part is shown, always the same. */
  memories: number
  /** Left out because another model embedded them, until they are embedded anew. */
  otherModel: number
  /** Features whose new iterations are still being embedded. */
  behind: string[]
}

/** More cannot be told apart, nor drawn quickly. */
const MOST_POINTS = 2_000
/** So long is waited for what is not in the index yet; it comes with the next picture. */
const PATIENCE_MS = 3_000

export interface MemoryMapOptions extends AskedMemories {
  cacheDir: string
  /** For the agent of a run, which is told by the loop what projects know. */
  inRun?: (() => Promise<boolean>) | undefined
}

/** All that is remembered, drawn by meaning. Who was there keeps the place from day to day. */
export class MemoryMap {
  readonly #memories: MemoryMapOptions
  readonly #positions: Positions
  /** Features whose journal may be ahead of the index. */
  readonly #behind = new Set<string>()
  #drawing: Promise<MapPicture> | undefined
  #levelling: Promise<void> | undefined

  constructor(options: MemoryMapOptions) {
    this.#memories = options
    this.#positions = new Positions(options.cacheDir)
  }

  /** Whoever asks while it is being drawn gets that one. */
  draw(): Promise<MapPicture> {
    this.#drawing ??= this.#draw().finally(() => {
      this.#drawing = undefined
    })
    return this.#drawing
  }

  /** Gives everything a new place, for when too much has been added to the old picture. */
  async rearrange(): Promise<MapPicture> {
    await this.#drawing?.catch(() => undefined)
    await this.#positions.forget()
    return this.draw()
  }

  async #draw(): Promise<MapPicture> {
    const features = await searchableFeatures(this.#memories)
    const behind = await this.#bringLevel(features)
    const { embedderId, memories, documents, otherModel } = await gather(
      this.#memories,
      features,
      MOST_POINTS,
    )
    if (embedderId === undefined) return { points: [], memories: documents, otherModel, behind }
    const found = await placed(memories, this.#positions.read(embedderId))
    const places = await this.#positions.keep(embedderId, found)
    const inRun = await this.#memories.inRun?.()
    const points = memories.flatMap(({ vector: _, ...memory }) => {
      if (inRun && !KINDS_IN_RUNS.includes(memory.address.kind)) return []
      const [x, y] = places.get(memory.id)!
      return [{ ...memory, x, y }]
    })
    return { points, memories: documents, otherModel, behind }
  }

  /** Returns those that are not level yet. What takes longer goes on, for the next picture. */
  async #bringLevel(features: readonly string[]): Promise<string[]> {
    for (const feature of features) this.#behind.add(feature)
    this.#levelling ??= this.#catchUp().finally(() => {
      this.#levelling = undefined
    })
    await withinTime(this.#levelling, PATIENCE_MS)
    return features.filter((feature) => this.#behind.has(feature))
  }

  async #catchUp(): Promise<void> {
    const { featureMemory, notices } = this.#memories
    for (const feature of this.#behind) {
      try {
        await featureMemory.catchUp(feature)
        notices.recovered('map')
      } catch (error) {
        if (!isRalphError(error)) throw error
        const { message, hint = 'ralph doctor' } = error
        notices.once({ key: 'map', message: `the map may lack something: ${message}`, hint })
      }
      this.#behind.delete(feature)
    }
  }
}
