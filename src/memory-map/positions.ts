import { join } from 'node:path'
import { z } from 'zod'
import { isRalphError } from '../errors.ts'
import { writeFileAtomically } from '../files/atomic-write.ts'
import { readOwnFile } from '../files/own-files.ts'
import type { Point } from './layout/principal.ts'

/** Where memories stood the last time, by the id of their document. Says nothing of what they say. Disposable. */
const Stored = z.object({
  version: z.literal(1),
  embedderId: z.string(),
  positions: z.record(z.string(), z.tuple([z.number(), z.number()])),
})

/** What is not shown any more keeps its place for when it comes back, up to this many. */
const MOST_KEPT = 10_000

/** The places of a project's memories, kept from day to day so that nothing jumps. */
export class Positions {
  readonly #path: string

  constructor(cacheDir: string) {
    this.#path = join(cacheDir, 'memory-map.json')
  }

  /** Empty for the vectors of another model: what they mean cannot be compared. */
  read(embedderId: string): Map<string, Point> {
    const stored = this.#stored()
    return new Map(stored?.embedderId === embedderId ? Object.entries(stored.positions) : [])
  }

  /** Returns the places that count: those that another process has kept meanwhile stay. */
  async keep(embedderId: string, placed: ReadonlyMap<string, Point>): Promise<Map<string, Point>> {
    const before = this.read(embedderId)
    const shown = new Map([...placed].map(([id, point]) => [id, before.get(id) ?? point]))
    const others = [...before].filter(([id]) => !placed.has(id)).slice(0, MOST_KEPT - shown.size)
    if (shown.size + others.length > before.size)
      await this.#write({
        version: 1,
        embedderId,
        positions: Object.fromEntries([...shown, ...others]),
      })
    return shown
  }

  /** The next picture is made anew. */
  async forget(): Promise<void> {
    await this.#write({ version: 1, embedderId: '', positions: {} })
  }

  #stored(): z.infer<typeof Stored> | undefined {
    try {
      return Stored.safeParse(JSON.parse(readOwnFile(this.#path).toString('utf8'))).data
    } catch {
      return undefined // missing or damaged: made anew
    }
  }

  async #write(value: z.infer<typeof Stored>): Promise<void> {
    try {
      await writeFileAtomically(this.#path, JSON.stringify(value), { disposable: true })
    } catch (error) {
      if (!isRalphError(error)) throw error // a full or read-only disk costs time, not the picture
    }
  }
}
