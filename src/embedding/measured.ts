import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { writeDisposableFile } from '../files/atomic-write.ts'
import { PAIRS_VERSION } from './calibration-pairs.ts'

/** What somebody wrote into the file must not turn scores round. */
function isRising(points: readonly (readonly [cosine: number, score: number])[]): boolean {
  return points.every(([cosine, score], at) => {
    const before = points[at - 1]
    return before === undefined || (cosine > before[0] && score >= before[1])
  })
}

const Measured = z.object({
  dimensions: z.int().positive(),
  calibration: z
    .array(z.tuple([z.number().min(-1).max(1), z.number().min(0).max(1)]).readonly())
    .min(2)
    .refine(isRising)
    .readonly()
    .optional(),
  /** A question once waited in vain for it to be measured. */
  slow: z.boolean().optional(),
})
/** What only the model itself could tell; the calibration is missing until there was time to measure it. */
export type Measured = z.infer<typeof Measured>

/** Whose measures they are: true for as long as the model is this one. */
export interface MeasuredModel {
  provider: string
  model: string
  /** Changes with the model's content. Without one, the address has to stand for it. */
  version?: string | undefined
  url: string
}

/** Nobody uses more models by turns; the oldest are measured again. */
const MOST = 100

/** Measures of models, kept for all processes of a user so that nobody waits for them twice. */
export class MeasuredModels {
  readonly #file: string | undefined

  /** Without a file each embedder measures for itself. */
  constructor(file?: string) {
    this.#file = file
  }

  find(model: MeasuredModel): Measured | undefined {
    return Measured.safeParse(this.#read()[keyOf(model)]).data
  }

  keep(measured: Measured, ...models: readonly MeasuredModel[]): void {
    const before = this.#read()
    const keys = models.map(keyOf)
    if (keys.every((key) => isDeepStrictEqual(before[key], measured))) return
    const others = Object.entries(before).filter(([key]) => !keys.includes(key))
    this.#write([...others.slice(keys.length - MOST), ...keys.map((key) => [key, measured] as const)])
  }

  /** It turned out to be another model. */
  drop(...models: readonly MeasuredModel[]): void {
    const keys = models.map(keyOf)
    this.#write(Object.entries(this.#read()).filter(([key]) => !keys.includes(key)))
  }

  #read(): { [key: string]: unknown } {
    if (this.#file === undefined) return {}
    try {
      return z.record(z.string(), z.unknown()).parse(JSON.parse(readFileSync(this.#file, 'utf8')))
    } catch {
      return {} // nothing yet, or damaged: it is measured again
    }
  }

  #write(all: readonly (readonly [key: string, value: unknown])[]): void {
    if (this.#file === undefined) return
    try {
      writeDisposableFile(this.#file, JSON.stringify(Object.fromEntries(all)))
    } catch {
      // Where nothing can be written, everybody measures anew.
    }
  }
}

/** Measures by other texts are those of another model. */
function keyOf({ provider, model, version, url }: MeasuredModel): string {
  const parts = [provider, model, version ?? url, PAIRS_VERSION]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 24)
}
